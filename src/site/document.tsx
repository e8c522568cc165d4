import { renderToStaticMarkup } from 'react-dom/server';
import type { PageAction } from '../components/action.tsx';
import { Layout } from '../components/layout/layout.tsx';
import type { PricedEntry } from '../components/layout/site-navigation.tsx';
import { columnSizes } from '../components/picture.tsx';
import { tone } from '../components/tone.ts';
import { formatPrice } from '../lib/format.ts';
import { jsonForHtml } from '../lib/json.ts';
import { isReserved } from '../model/addresses.ts';
import { type Content, hasPage, type Navigation, type Service } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { typeset, typesetPage } from '../model/typography.ts';
import type { PageFacts, PageView } from '../pages/page.ts';
import { countAction } from '../pages/services/calculator-links.ts';
import { mainPricesOf } from '../pricing/main-prices.ts';
import { feedPosts } from './feeds.ts';
import { type StyleRule, stylesFor, wholeStyles } from './page-styles.ts';
import { typesetValue } from './payload.ts';
import { type Headers, pageHeaders } from './security-headers.ts';
import { speculationRules } from './speculation-rules.ts';
import { structuredData } from './structured-data.ts';
import { templates } from './templates.ts';

export type Document = {
  html: string;
  headers: Headers;
  /** The different tags of its body. */
  tags: ReadonlySet<string>;
};

/** Pixels; no social network crops it. */
export const shareSize = { width: 1200, height: 630 } as const;

/** By the name of the page. */
export type Styles = Readonly<Record<string, readonly StyleRule[]>>;

type LayoutData = Pick<Content, 'company' | 'presets' | 'integrations'> & {
  navigation: { header: readonly PricedEntry[]; footer: Navigation['footer'] };
  services: readonly Pick<Service, 'to' | 'text'>[];
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  script: string;
  /** Of the company. */
  logo?: string | undefined;
  action: PageAction;
  search: boolean;
  feed: boolean;
};

type LayoutParts = Pick<LayoutData, 'siteUrl' | 'script' | 'logo'> & { has(path: string): boolean };

export function layoutData(content: Content, { has, ...rest }: LayoutParts): LayoutData {
  const { company, presets, integrations } = content;
  return {
    company,
    navigation: existing(content, has),
    presets,
    integrations,
    services: content.services.map(({ to, text }) => ({ to, text })),
    action: countAction(content),
    search: hasPage(content, 'search'),
    feed: feedPosts(content).length > 0,
    ...rest,
  };
}

/** Menus may name pages that do not exist yet. */
function existing(content: Content, has: (path: string) => boolean): LayoutData['navigation'] {
  const { header, footer } = content.navigation;
  const shown = ({ to }: { to: string }) => has(to) || isReserved(to);
  return {
    header: header
      .map((entry) => ({
        ...entry,
        pages: entry.pages?.filter(shown).map((page) => ({ ...page, ...priceIn(content, page.to) })),
      }))
      .filter(({ to, pages = [] }) => (to === undefined ? pages.length > 0 : shown({ to }))),
    footer: footer.filter(shown),
  };
}

/** Of a service, for an ordinary order: `12,50 ₽/шт.` */
function priceIn(content: Content, to: string): { price?: string } {
  const group = content.services.find((service) => service.to === to)?.rates[0];
  const [main] = mainPricesOf(content, group);
  return main ? { price: `${formatPrice(main.price)}/\u2060${main.unit}` } : {};
}

type RendererParts = {
  layout: LayoutData;
  styles: Styles;
  sharePicture(path: string): string;
};

/** Pure. @throws if the page has no stylesheet */
export type Render = (view: PageView) => Document;

export function documentRenderer(parts: RendererParts): Render {
  const { siteUrl, integrations } = parts.layout;
  return (view) => {
    const { html: body, tags } = typesetPage(bodyFor(view, parts.layout));
    const css = stylesOn(view.page, parts.styles, tags);
    return {
      tags,
      html: templates.document({ ...headFor(view, parts), css, body }),
      headers: pageHeaders(siteUrl, { css, integrations: integrationsOn(view.page, integrations) }),
    };
  };
}

function stylesOn({ name, refreshed }: PageFacts, styles: Styles, tags: Document['tags']): string {
  const rules = styles[name];
  if (rules === undefined) throw new Error(`The page "${name}" has no stylesheet; its file must have its name.`);
  return refreshed ? wholeStyles(rules) : stylesFor(rules, tags);
}

/** The variables of the template, without styles and body. */
function headFor({ head }: PageView, { layout, sharePicture }: RendererParts) {
  const { company, siteUrl, script, feed } = layout;
  const shareImage = sharePicture(withoutQuery(head.path));
  const graph = structuredData(head, { company, siteUrl, image: siteUrl + shareImage });
  return {
    head,
    isArticle: typeof head.subject === 'object',
    title: typeset(namesCompany(head.title, company.name) ? head.title : `${head.title} | ${company.name}`),
    description: typeset(head.description),
    siteName: typeset(company.name),
    siteUrl,
    feed,
    shareImage,
    shareSize,
    paper: tone.paper,
    hero: head.hero && { ...head.hero, sizes: columnSizes },
    script,
    structuredData: graph && jsonForHtml(graph, typesetValue),
    speculationRules,
  };
}

function bodyFor({ page, head, body }: PageView, layout: LayoutData): string {
  const { metrikaId } = integrationsOn(page, layout.integrations);
  return renderToStaticMarkup(
    <Layout
      layout={layout}
      path={withoutQuery(head.path)}
      crumbs={head.crumbs}
      action={head.action}
      metrikaId={metrikaId}
      staff={page.staff}
    >
      {body}
    </Layout>,
  );
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? path;
}

/** «Короба» matches, «Короба и паллеты» does not. */
function namesCompany(title: string, company: string): boolean {
  const name = RegExp.escape(company);
  return new RegExp(`(?<!\\p{L})${name}(?!\\p{L})|«${name}\\p{L}{1,2}»`, 'u').test(title);
}

export function integrationsOn(
  { mapped, uncounted }: PageFacts,
  { mapsApiKey, metrikaId, ...others }: Integrations,
): Integrations {
  return {
    ...others,
    ...(mapsApiKey && mapped && { mapsApiKey }),
    ...(metrikaId && !uncounted && { metrikaId }),
  };
}

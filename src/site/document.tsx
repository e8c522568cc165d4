import { renderToStaticMarkup } from 'react-dom/server';
import { heroSizes } from '../components/hero-picture.tsx';
import { Layout } from '../components/layout/layout.tsx';
import { tone } from '../components/tone.ts';
import { jsonForHtml } from '../lib/json.ts';
import type { Content, Service } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { typesetPage } from '../model/typography.ts';
import type { PageFacts, PageView } from '../pages/page.ts';
import { type Headers, securityHeaders } from './security-headers.ts';
import { speculationRules } from './speculation-rules.ts';
import { structuredData } from './structured-data.ts';
import { templates } from './templates.ts';

export type Document = { html: string; headers: Headers };

/** Pixels; no social network crops it. */
export const shareSize = { width: 1200, height: 630 } as const;

/** By the name of the page. */
export type Styles = Readonly<Record<string, string>>;

type LayoutData = Pick<Content, 'company' | 'navigation' | 'presets' | 'integrations'> & {
  services: readonly Pick<Service, 'to' | 'text'>[];
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  script: string;
};

export function layoutData(content: Content, rest: Pick<LayoutData, 'siteUrl' | 'script'>): LayoutData {
  const { company, navigation, presets, integrations } = content;
  return {
    company,
    navigation,
    presets,
    integrations,
    services: content.services.map(({ to, text }) => ({ to, text })),
    ...rest,
  };
}

type RendererParts = {
  layout: LayoutData;
  styles: Styles;
  sharePicture(path: string): string;
};

/** Pure. */
export type Renderer = {
  /** @throws if the page has no stylesheet */
  render(view: PageView): Document;
  headersOf(page: PageFacts): Headers;
};

export function documentRenderer({ layout, styles, sharePicture }: RendererParts): Renderer {
  const { company, integrations: thirdParties, siteUrl, script } = layout;
  const headersByPage = new Map<PageFacts, Headers>();

  function stylesOf(page: string): string {
    const css = styles[page];
    if (css === undefined) throw new Error(`The page "${page}" has no stylesheet; its file must have its name.`);
    return css;
  }

  function headersOf(page: PageFacts): Headers {
    const known = headersByPage.get(page);
    if (known) return known;
    const needs = {
      css: stylesOf(page.name),
      integrations: integrationsOn(page, thirdParties),
      goal: goalOf(page) !== undefined,
    };
    const headers = securityHeaders(siteUrl, needs);
    headersByPage.set(page, headers);
    return headers;
  }

  function goalOf({ goal: name }: PageFacts) {
    const { metrikaId } = thirdParties;
    return name && metrikaId ? { metrikaId, name } : undefined;
  }

  function render(view: PageView): Document {
    const css = stylesOf(view.page.name);
    const { head } = view;
    const path = head.path.split('?', 1)[0] ?? head.path;
    const shareImage = sharePicture(path);
    const { name } = company;
    const integrations = integrationsOn(view.page, thirdParties);
    const graph = structuredData(head, { company, siteUrl, image: siteUrl + shareImage });
    const html = templates.document({
      head,
      isArticle: typeof head.about === 'object',
      title: namesCompany(head.title, name) ? head.title : `${head.title} | ${name}`,
      company,
      siteUrl,
      shareImage,
      shareSize,
      paper: tone.paper,
      hero: head.hero && { ...head.hero, sizes: heroSizes },
      script,
      css,
      structuredData: graph && jsonForHtml(graph),
      speculationRules,
      body: typesetPage(
        renderToStaticMarkup(
          <Layout
            layout={layout}
            path={path}
            crumbs={head.crumbs}
            metrikaId={integrations.metrikaId}
            goal={goalOf(view.page)}
            staff={view.page.staff}
          >
            {view.body}
          </Layout>,
        ),
      ),
    });
    return { html, headers: headersOf(view.page) };
  }

  return { render, headersOf };
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

import { renderToStaticMarkup } from 'react-dom/server';
import { Layout } from '../design/layout/layout.tsx';
import { tone } from '../design/tone.ts';
import { jsonForHtml } from '../lib/json.ts';
import type { Content, Service } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { typesetPage } from '../model/typography.ts';
import type { PageFacts, View } from './page.ts';
import { type Headers, securityHeaders } from './security-headers.ts';
import { structuredData } from './structured-data.ts';
import { templates } from './templates.ts';
import { wideMedia } from './wide-media.ts';

/** Address of the rules by which browsers fetch pages ahead, as documents name it in their header. */
export const speculationRulesPath = '/speculation-rules.json';

/** A finished page: HTML, and the headers that protect this very HTML. */
export type Document = { html: string; headers: Headers };

/** Pixels of a picture that shared links show; no service cuts anything from these. */
export const shareSize = { width: 1200, height: 630 } as const;

/** Minified CSS. */
export type Styles = {
  /** What a phone needs of it stands in each page; by the page's name. */
  pages: Readonly<Record<string, string>>;
  /** What only wide windows and paper need, of all pages: a file that others fetch when they have nothing better to do. */
  wide: { path: string; text: string };
};

/** What every page shows besides what is its own. */
export type Shell = Pick<Content, 'company' | 'navigation' | 'integrations'> & {
  /** As the footer lists them. */
  services: readonly Pick<Service, 'to' | 'text'>[];
  /** Absolute address without a trailing slash. */
  siteUrl: string;
  /** Address of the script that adds what pages can do; they are whole without it. */
  script: string;
};

export function shellOf(content: Content, rest: Pick<Shell, 'siteUrl' | 'script'>): Shell {
  const { company, navigation, integrations } = content;
  return {
    company,
    navigation,
    integrations,
    services: content.services.map(({ to, text }) => ({ to, text })),
    ...rest,
  };
}

export type RendererParts = {
  shell: Shell;
  styles: Styles;
  /** Address of the picture that a shared link shows, by the page's canonical address without its query. */
  sharePicture(path: string): string;
};

/** Turns views into documents. Pure: the same view gives the same bytes. */
export type Renderer = {
  /** @throws if the styles of the page are missing */
  render(view: View): Document;
  /** The headers of a page's documents. @throws as `render` does */
  headersOf(page: PageFacts): Headers;
};

export function documentRenderer({ shell, styles, sharePicture }: RendererParts): Renderer {
  const { company, integrations: thirdParties, siteUrl, script } = shell;
  const headersByPage = new Map<PageFacts, Headers>();

  function stylesOf(page: string): string {
    const css = styles.pages[page];
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
    const headers = { ...securityHeaders(siteUrl, needs), ...browserHints };
    headersByPage.set(page, headers);
    return headers;
  }

  function goalOf({ goal: name }: PageFacts) {
    const { metrikaId } = thirdParties;
    return name && metrikaId ? { metrikaId, name } : undefined;
  }

  function render(view: View): Document {
    const css = stylesOf(view.page.name);
    const { head } = view;
    const path = head.path.split('?', 1)[0] ?? head.path;
    const shareImage = sharePicture(path);
    const { name } = company;
    const integrations = integrationsOn(view.page, thirdParties);
    const html = templates.document({
      head: { noindex: false, article: false, previous: '', next: '', ...head },
      title: namesCompany(head.title, name) ? head.title : `${head.title} | ${name}`,
      company,
      siteUrl,
      shareImage,
      shareSize,
      paper: tone.paper,
      hero: head.hero && { ...head.hero.picture, sizes: head.hero.sizes },
      script,
      css,
      wide: { path: styles.wide.path, media: wideMedia },
      structuredData: head.noindex
        ? ''
        : jsonForHtml(
            structuredData(head, {
              company,
              siteUrl,
              image: siteUrl + shareImage,
              modified: view.modified,
            }),
          ),
      body: typesetPage(
        renderToStaticMarkup(
          <Layout
            shell={shell}
            path={path}
            crumbs={head.crumbs}
            metrikaId={integrations.metrikaId}
            goal={goalOf(view.page)}
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

/** Whether a title names the company: as a word, or quoted in any case. «Короба» does, «Короба и паллеты» does not. */
function namesCompany(title: string, company: string): boolean {
  const name = RegExp.escape(company);
  return new RegExp(`(?<!\\p{L})${name}(?!\\p{L})|«${name}\\p{L}{1,2}»`, 'u').test(title);
}

/** What a browser may do ahead of the visitor: where the rules are, and whether the network allows it. */
const browserHints: Headers = { 'Speculation-Rules': `"${speculationRulesPath}"`, 'Accept-CH': 'ECT' };

/** The third parties that a page may offer. */
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

import { renderToStaticMarkup } from 'react-dom/server';
import { Layout } from '../components/layout.tsx';
import type { View } from '../pages/page.ts';
import type { Content } from '../site/content.ts';
import type { Integrations } from '../site/integrations.ts';
import { jsonForHtml } from './json.ts';
import { type Headers, securityHeaders } from './security-headers.ts';
import { speculationRulesPath } from './speculation-rules.ts';
import { structuredData } from './structured-data.ts';
import { templates } from './templates.ts';

/** A finished page: HTML, and the headers that protect this very HTML. */
export type Document = { html: string; headers: Headers };

/** Pixels of a picture that shared links show; no service cuts anything from these. */
export const shareSize = { width: 1200, height: 630 } as const;

/** Minified CSS of every page, by the page's name. */
export type Styles = Readonly<Record<string, string>>;

export type Site = {
  content: Content;
  /** Absolute address without a trailing slash. */
  siteUrl: string;
  styles: Styles;
  /** Paths of the pictures that shared links show: of a page by its address, or else the general one. */
  images: { share: string; shares: Readonly<Record<string, string>> };
  /** Address of the script that adds what pages can do; they are whole without it. */
  script: string;
};

/** Turns views into documents. Pure: the same view gives the same bytes. */
export type Renderer = (view: View) => Document;

/** @throws if the styles of a page are missing, when that page is rendered for the first time */
export function documentRenderer({ content, siteUrl, styles, images, script }: Site): Renderer {
  const headersByPage = new Map<string, Headers>();
  return (view) => {
    const css = styles[view.page];
    if (css === undefined) throw new Error(`The page "${view.page}" has no stylesheet; its file must have its name.`);
    const { head } = view;
    const path = head.path.split('?', 1)[0] ?? head.path;
    const shareImage = images.shares[path] ?? images.share;
    const { name } = content.company;
    const integrations = integrationsOn(view.page, content.integrations);
    const html = templates.document({
      head: { noindex: false, article: false, previous: '', next: '', ...head },
      title: head.title.includes(name) ? head.title : `${head.title} — ${name}`,
      company: content.company,
      siteUrl,
      shareImage,
      shareSize,
      hero: head.hero && { ...head.hero.picture, sizes: head.hero.sizes },
      script,
      css,
      structuredData: head.noindex
        ? ''
        : jsonForHtml(
            structuredData(head, {
              company: content.company,
              siteUrl,
              image: siteUrl + shareImage,
              modified: view.modified,
            }),
          ),
      body: renderToStaticMarkup(
        <Layout content={content} path={path} crumbs={head.crumbs} metrikaId={integrations.metrikaId}>
          {view.body}
        </Layout>,
      ),
    });
    let headers = headersByPage.get(view.page);
    if (headers === undefined) {
      headers = {
        ...securityHeaders(siteUrl, { css, integrations }),
        ...browserHints,
      };
      headersByPage.set(view.page, headers);
    }
    return { html, headers };
  };
}

/** What a browser may do ahead of the visitor: where the rules are, and whether the network allows it. */
const browserHints: Headers = { 'Speculation-Rules': `"${speculationRulesPath}"`, 'Accept-CH': 'ECT' };

/** Pages with personal data, or at an address that is a secret: no counter may learn of them. */
const uncounted: ReadonlySet<string> = new Set(['receipt', 'take']);

/** Third parties by page; only one has a map. */
export function integrationsOn(page: string, { mapsApiKey, metrikaId, ...others }: Integrations): Integrations {
  return {
    ...others,
    ...(mapsApiKey && page === 'contacts' && { mapsApiKey }),
    ...(metrikaId && !uncounted.has(page) && { metrikaId }),
  };
}

import type { FixedDrawing } from '../components/picture.tsx';
import { tone } from '../components/tone.ts';
import type { Cache } from '../lib/cache.ts';
import { cacheFor } from '../lib/cache-for.ts';
import type { Assets } from '../loading/assets.ts';
import { drawingPath, type PictureFile } from '../loading/read-pictures.ts';
import { type Content, hasPage, type Rates } from '../model/content.ts';
import { nextRatesCsvPath, ratesCsv, ratesCsvDisposition, ratesCsvPath } from '../pricing/rates-csv.ts';
import type { BuildInputs } from './compiled-code.ts';
import { feedPosts, robots, rss, sitemap } from './feeds.ts';
import { icons } from './icons.ts';
import type { PageTable } from './page-table.ts';
import { contentType, response, type SiteResponse } from './response.ts';
import type { Headers } from './security-headers.ts';

export type FixedImages = {
  share: string;
  placeholder: FixedDrawing;
  /** By status code. */
  errors: Readonly<Record<number, FixedDrawing>>;
};

const drawnErrors = [404, 413, 429, 500, 503];

type AddFile = (
  path: string,
  cacheControl: string,
  make: () => string | Buffer,
  headers?: Headers,
) => [path: string, response: SiteResponse];

export function fileResponses(cache: Cache, security: Headers): AddFile {
  return (path, cacheControl, make, headers = {}) => {
    // Third parties write verification files, so their charset is unknown.
    const type = contentType(path).replace(/(html);.*/, '$1');
    const made = () => {
      const body = make();
      return { body: typeof body === 'string' ? Buffer.from(body) : body, security: { ...security, ...headers } };
    };
    return [path, response({ route: 'file', headers: { type, cacheControl }, make: made, cache })];
  };
}

type SiteFileParts = BuildInputs & {
  content: Content;
  id: string;
  drawings: readonly PictureFile[];
  logo: PictureFile | undefined;
  table: PageTable;
};

export function siteFiles(parts: SiteFileParts, file: AddFile): [string, SiteResponse][] {
  const { content, assets, code, siteUrl, drawings, logo, table } = parts;
  const { company, rates, nextRates, prices } = content;
  const csv = (path: string, list: Rates) =>
    file(path, cacheFor.revalidate, () => ratesCsv(list, prices), { 'Content-Disposition': ratesCsvDisposition(list) });
  const drawn = new Set(logo ? icons.map(({ path }) => path) : []);
  const views = () => table.addresses.map(({ path }) => ({ path, view: table.open(path) }));
  return [
    file('/sitemap.xml', cacheFor.revalidate, () => sitemap(views(), siteUrl)),
    ...(feedPosts(content).length > 0 ? [file('/rss.xml', cacheFor.revalidate, () => rss(content, siteUrl))] : []),
    file('/robots.txt', cacheFor.revalidate, () => robots(siteUrl)),
    file('/site.webmanifest', cacheFor.revalidate, () => webManifest(company.name)),
    ...(hasPage(content, 'rates') ? [csv(ratesCsvPath, rates)] : []),
    ...(hasPage(content, 'rates') && nextRates ? [csv(nextRatesCsvPath, nextRates)] : []),
    ...buildFiles(parts, file),
    ...[...assets.values()]
      .filter(({ href }) => !drawn.has(href))
      .map(({ href, bytes, immutable }) => file(href, immutable ? cacheFor.ever : cacheFor.hour, () => bytes)),
    ...code.scripts.map(({ path, text }) => file(path, cacheFor.ever, () => text)),
    ...drawings.map((one) => file(drawingPath(one), cacheFor.ever, () => one.drawing ?? '')),
  ];
}

/** @throws if `public/` lacks one */
export function fixedImages(assets: Assets, share: string): FixedImages {
  const picture = (path: string): FixedDrawing => {
    const asset = assets.get(path);
    if (asset === undefined) throw new Error(`public${path} is missing; every site needs this picture.`);
    return { href: asset.href, ...(!asset.own && { svg: String(asset.bytes) }) };
  };
  return {
    share,
    placeholder: picture('/images/broadcast-off.svg'),
    errors: Object.fromEntries(drawnErrors.map((status) => [status, picture(`/images/errors/${status}.svg`)])),
  };
}

function webManifest(name: string): string {
  return JSON.stringify({
    name,
    short_name: name,
    lang: 'ru',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    theme_color: tone.paper,
    background_color: tone.paper,
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });
}

/** For prefetching and detecting newer builds. */
function buildFiles({ id, content, table }: SiteFileParts, file: AddFile): [string, SiteResponse][] {
  const build = { id, timestamp: Date.parse(content.at) };
  const prerendered = table.addresses.map(({ path }) => path);
  const moves = content.redirects.map(({ from, to }) => [from, { redirect: to }] as const);
  const folders = moves.flatMap(([from, rule]) => (from.endsWith('/*') ? [[from.slice(0, -2), rule]] : []));
  const exact = moves.filter(([from]) => !/[?*]/.test(from));
  const pages = prerendered.map((path) => [path, { prerender: true }]);
  const matcher = {
    static: Object.fromEntries([...pages, ...exact]),
    wildcard: Object.fromEntries(folders),
    dynamic: {},
  };
  return [
    file('/builds/latest.json', cacheFor.never, () => JSON.stringify(build)),
    file(`/builds/meta/${id}.json`, cacheFor.ever, () => JSON.stringify({ ...build, matcher, prerendered })),
  ];
}

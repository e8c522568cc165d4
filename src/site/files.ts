import { tone } from '../design/tone.ts';
import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import type { Hash } from '../lib/hash.ts';
import type { Content } from '../model/content.ts';
import type { Assets } from '../reading/assets.ts';
import { drawingPath, type PictureFile } from '../reading/pictures.ts';
import { ratesCsv, ratesCsvDisposition, ratesCsvPath } from '../services/rates-csv.ts';
import type { BuildInputs } from './code.ts';
import { feeds } from './feeds.ts';
import type { PageTable } from './pages.ts';
import { fileAt, type SiteFile } from './response.ts';

export type FixedImages = {
  /** The default share picture. */
  share: string;
  placeholder: string;
  placeholderDrawing: string;
  /** SVG by status code. */
  errors: Readonly<Record<number, string>>;
};

/** 413 also stands for 414 and 431: a carton too large for the gate. */
const errorDrawings: Readonly<Record<number, string>> = {
  404: '404',
  413: '413',
  414: '413',
  429: '429',
  431: '413',
  500: '500',
  503: '503',
};

type Parts = BuildInputs & {
  content: Content;
  id: string;
  pictures: readonly PictureFile[];
  read(file: Hash): Buffer;
  table: PageTable;
};

/** Everything but pages, payloads and encoded pictures. */
export function siteFiles(parts: Parts): SiteFile[] {
  const { content, assets, code, siteUrl, pictures, read, table } = parts;
  const { scripts, styles } = code;
  const headers = fileHeaders(siteUrl);
  return [
    ...feeds(content, siteUrl, () => table.paths.map((path) => ({ path, view: table.open(path) })), headers),
    ...manifests(parts),
    fileAt(ratesCsvPath, () => ratesCsv(content.rates), cacheFor.revalidate, {
      ...headers,
      'Content-Disposition': ratesCsvDisposition(content.rates),
    }),
    fileAt('/site.webmanifest', webManifest(content.company.name), cacheFor.revalidate, headers),
    ...[...assets.values()].map(({ href, bytes, immutable }) =>
      fileAt(href, bytes, immutable ? cacheFor.ever : cacheFor.hour, headers),
    ),
    ...[...scripts, styles.wide].map(({ path, text }) => fileAt(path, text, cacheFor.ever, headers)),
    ...pictures
      .filter(({ drawing }) => drawing)
      .map((picture) => fileAt(drawingPath(picture), read(picture.file), cacheFor.ever, headers)),
  ];
}

/** @throws if `public/` lacks one of them */
export function fixedImages(assets: Assets, share: string): FixedImages {
  const picture = (path: string) => {
    const asset = assets.get(path);
    if (asset === undefined) throw new Error(`public${path} is missing; every site needs this picture.`);
    return { href: asset.href, text: String(asset.bytes) };
  };
  const placeholder = picture('/images/broadcast-off.svg');
  return {
    share,
    placeholder: placeholder.href,
    placeholderDrawing: placeholder.text,
    errors: Object.fromEntries(
      Object.entries(errorDrawings).map(([status, name]) => [status, picture(`/images/errors/${name}.svg`).text]),
    ),
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
function manifests({ id, content, table: { paths }, siteUrl }: Parts): SiteFile[] {
  const timestamp = newestDate(content);
  const rules = paths.map((path) => [path, { prerender: true }]);
  const moves = content.redirects.map(({ from, to }) => [from, { redirect: to }] as const);
  const folders = moves.flatMap(([from, rule]) => (from.endsWith('/*') ? [[from.slice(0, -2), rule]] : []));
  const exact = moves.filter(([from]) => !/[?*]/.test(from));
  const manifest = () =>
    JSON.stringify({
      id,
      timestamp,
      matcher: { static: Object.fromEntries([...rules, ...exact]), wildcard: Object.fromEntries(folders), dynamic: {} },
      prerendered: paths,
    });
  const headers = fileHeaders(siteUrl);
  return [
    fileAt('/builds/latest.json', JSON.stringify({ id, timestamp }), cacheFor.never, headers),
    fileAt(`/builds/meta/${id}.json`, manifest, cacheFor.ever, headers),
  ];
}

/** Milliseconds since 1970. */
function newestDate(content: Content): number {
  const dates = [...content.articles, ...content.news, ...content.cases, ...content.reviews].map((item) =>
    'updated' in item && item.updated ? item.updated : item.published,
  );
  return Date.parse([content.rates.effective, ...dates].sort().at(-1) ?? content.rates.effective);
}

import { hash as digest } from 'node:crypto';
import { tone } from '../design/tone.ts';
import { documentRenderer, shellOf } from '../document/document.tsx';
import type { Page, PageFacts, View } from '../document/page.ts';
import { fileHeaders, type Headers } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import type { Content } from '../model/content.ts';
import { wholeJson } from '../model/prose.ts';
import { ratesCsv, ratesCsvDisposition, ratesCsvPath } from '../rates/rates-csv.ts';
import type { Assets } from '../reading/assets.ts';
import { drawingPath, type PictureFile, photoSizes } from '../reading/pictures.ts';
import type { RootFile } from '../reading/root-files.ts';
import { type Address, addresses } from '../routes.ts';
import type { Memo } from '../store/memo.ts';
import { entryScript, type Workshop } from './code.ts';
import {
  dictionaryAddresses,
  dictionaryPath,
  ingredientsOf,
  makeDictionary,
  slowContent,
  useAsDictionary,
} from './dictionary.ts';
import type { DictionaryEntry, FixedImages } from './edition-index.ts';
import { feeds } from './feeds.ts';
import { contentType, fileAt, type Profile, type Resource, sharePath } from './resource.ts';
import { shareMark, shareRecipes } from './share-picture.tsx';

/** What an edition is made of. */
export type Ingredients = Omit<Workshop, 'publicDir'> & {
  content: Content;
  /** Pictures that the content shows. */
  pictures: readonly PictureFile[];
  /** What others look for at the root of the site. */
  rootFiles: readonly RootFile[];
  /** Reads a file of the content. */
  read(file: Hash): Buffer;
  assets: Assets;
  memo: Memo;
};

/** A page at one address, with what it shows. */
export type OpenPage = Address & { view: View };

/** A rendered page and its data, each a body by its hash, which comes along if it was made just now. */
export type RenderedPage = { html: Hash; payload: Hash; bodies: readonly Buffer[] };

/** Which drawing explains which status: a request that is too large is a carton that no gate takes. */
const errorDrawings: Readonly<Record<number, string>> = {
  404: '404',
  413: '413',
  414: '413',
  429: '429',
  431: '413',
  500: '500',
  503: '503',
};

/** Every page of the content, with what it shows. */
export function openPages(content: Content): OpenPage[] {
  return addresses(content).map((address) => ({ ...address, view: opened(address, content) }));
}

function opened({ path, page, params }: Address, content: Content): View {
  const view = page.open(content, params, {});
  if (view === undefined) throw new Error(`${path} is listed by its page, which then refuses to open it.`);
  return view;
}

/** Renders pages, and knows what else an edition publishes. What several editions have is rendered once. */
export type Press = {
  /** A page as it stands at both of its addresses, if it has two. */
  page(view: View): RenderedPage;
  /** The entries of a page at one of its addresses. */
  entries(open: OpenPage, rendered: RenderedPage): Resource[];
  /** Everything beside the pages. */
  others(pages: readonly OpenPage[]): Resource[];
  /** The part of the address of its share picture that changes, by a page's canonical address. */
  shareMarks: ReadonlyMap<string, string>;
  images: FixedImages;
  dictionary: DictionaryEntry;
};

export function press(ingredients: Ingredients, pages: readonly OpenPage[]): Press {
  const { content, pictures, rootFiles, read, assets, siteUrl, code, memo } = ingredients;
  const { styles, scripts } = code;
  const share = shareRecipes(content.company, assets, pictures);
  const shares = new Map(pages.flatMap(({ path, view }) => (view.head.path === path ? [[path, share.of(view)]] : [])));
  const shareMarks = new Map([...shares].map(([path, recipe]) => [path, shareMark(recipe)]));
  const images = siteImages(assets, sharePath(undefined, shareMark(share.general)));
  const shell = shellOf(content, { siteUrl, script: entryScript(scripts) });
  const shellKey = keyOf(shell);
  const sharePicture = (path: string) => {
    const mark = shareMarks.get(path);
    return mark === undefined ? images.share : sharePath(path, mark);
  };
  const renderer = documentRenderer({ shell, styles, sharePicture });
  const bare = fileHeaders(siteUrl);
  const profiles = pageProfiles(renderer.headersOf, bare);

  function page(view: View): RenderedPage {
    const bodies: Buffer[] = [];
    const { html, payload } = memo.once(
      ['page', shellKey, view.page, view.data, view.modified, sharePicture(view.head.path)],
      () => {
        bodies.push(Buffer.from(renderer.render(view).html), Buffer.from(wholeJson(view.data)));
        const [html = '', payload = ''] = bodies.map(hashOf);
        return { html, payload };
      },
      ({ html, payload }) => memo.has(html) && memo.has(payload),
    );
    return { html, payload, bodies };
  }

  function printDictionary(): { entry: DictionaryEntry; resource: Resource } {
    const slow = slowContent(content);
    const byPath = new Map(addresses(slow).map((address) => [address.path, address]));
    const chosen = dictionaryAddresses(slow).flatMap((path) => byPath.get(path) ?? []);
    const views = chosen.map((address) => opened(address, slow));
    let made: Buffer | undefined;
    const { hash, sha256 } = memo.once(
      ['dictionary', shellKey, ingredientsOf(views)],
      () => {
        made = makeDictionary(views.values().map((view) => renderer.render(view).html));
        return { hash: hashOf(made), sha256: digest('sha256', made, 'base64') };
      },
      ({ hash }) => memo.has(hash),
    );
    const path = dictionaryPath(sha256);
    const security = { ...bare, 'Use-As-Dictionary': useAsDictionary };
    const profile: Profile = { type: contentType(path), cacheControl: cacheFor.ever, query: [], security };
    return { entry: { path, hash, sha256 }, resource: { path, profile, ...(made ? { body: made } : { hash }) } };
  }

  const dictionary = printDictionary();

  return {
    page,
    entries({ path, page }, { html, payload }) {
      const folder = path === '/' ? '' : path;
      return [
        { path, profile: profiles.page(page), hash: html },
        { path: `${folder}/_payload.json`, profile: profiles.payload, hash: payload },
      ];
    },
    others: (pages) => [
      dictionary.resource,
      ...feeds(content, siteUrl, pages, bare),
      fileAt(ratesCsvPath, ratesCsv(content.rates), cacheFor.revalidate, {
        ...bare,
        'Content-Disposition': ratesCsvDisposition(content.rates),
      }),
      fileAt('/site.webmanifest', webManifest(content.company.name), cacheFor.revalidate, bare),
      ...[...assets.values()].map(({ href, bytes, immutable }) =>
        fileAt(href, bytes, immutable ? cacheFor.ever : cacheFor.hour, bare),
      ),
      ...[...scripts, styles.wide].map(({ path, text }) => fileAt(path, text, cacheFor.ever, bare)),
      ...rootFiles.map(({ path, file }) => fileAt(path, read(file), cacheFor.revalidate, bare)),
      ...pictures.flatMap((picture) => published(picture, profiles.lasting, read)),
      ...[...shares, [undefined, share.general] as const].map(([path, recipe]): Resource => {
        const address = sharePath(path, shareMark(recipe));
        return { path: address, profile: profiles.lasting(address), recipe };
      }),
    ],
    shareMarks,
    images,
    dictionary: dictionary.entry,
  };
}

/** Kinds of answers; each is one object, by which an edition knows what is sent alike. */
function pageProfiles(headersOf: (page: PageFacts) => Headers, bare: Headers) {
  const pages = new Map<string, Profile>();
  const lasting = new Map<string, Profile>();
  const payload: Profile = {
    type: contentType('.json'),
    cacheControl: cacheFor.revalidate,
    versionedCacheControl: cacheFor.ever,
    query: [],
    security: bare,
  };
  return {
    payload,
    page(page: Page): Profile {
      const known = pages.get(page.name);
      if (known) return known;
      const type = contentType('.html');
      const profile = { type, cacheControl: cacheFor.revalidate, query: page.query, security: headersOf(page) };
      pages.set(page.name, profile);
      return profile;
    },
    /** What is published under a name that changes with its bytes. */
    lasting(path: string): Profile {
      const type = contentType(path);
      const profile = lasting.get(type) ?? { type, cacheControl: cacheFor.ever, query: [], security: bare };
      lasting.set(type, profile);
      return profile;
    },
  };
}

/** The files of one picture of the content. */
function published(picture: PictureFile, lasting: (path: string) => Profile, read: Ingredients['read']): Resource[] {
  if (picture.drawing) {
    const path = drawingPath(picture);
    return [{ path, profile: lasting(path), body: read(picture.file) }];
  }
  return photoSizes(picture).map(({ path, width, format, file }) => {
    return { path, profile: lasting(path), recipe: { photo: file, width, format } };
  });
}

/** @throws if one of the files is missing from `public/` */
function siteImages(assets: Assets, share: string): FixedImages {
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

/** How a phone shows the site that its owner keeps on the first screen. */
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

/** What the client modules know an edition by; it names the edition, so it is no part of what names it. */
export function manifests(
  id: string,
  timestamp: number,
  prerendered: readonly string[],
  redirects: Content['redirects'],
  siteUrl: string,
): Resource[] {
  const rules = prerendered.map((path) => [path, { prerender: true }]);
  const moves = redirects.map(({ from, to }) => [from, { redirect: to }] as const);
  const folders = moves.flatMap(([from, rule]) => (from.endsWith('/*') ? [[from.slice(0, -2), rule]] : []));
  const exact = moves.filter(([from]) => !/[?*]/.test(from));
  const manifest = {
    id,
    timestamp,
    matcher: { static: Object.fromEntries([...rules, ...exact]), wildcard: Object.fromEntries(folders), dynamic: {} },
    prerendered,
  };
  const headers = fileHeaders(siteUrl);
  return [
    fileAt('/builds/latest.json', JSON.stringify({ id, timestamp }), cacheFor.never, headers),
    fileAt(`/builds/meta/${id}.json`, JSON.stringify(manifest), cacheFor.ever, headers),
  ];
}

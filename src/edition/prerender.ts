import { createHash } from 'node:crypto';
import { type Document, documentRenderer, type Renderer, type Styles } from '../document/document.tsx';
import { type Headers, securityHeaders } from '../document/security-headers.ts';
import { errorView } from '../pages/error.tsx';
import type { View } from '../pages/page.ts';
import { type Address, addresses } from '../routes.ts';
import type { Assets } from '../site/assets.ts';
import type { Content } from '../site/content.ts';
import { drawingPath, type PictureFile, variants } from '../site/pictures.ts';
import { encodePicture } from './encode-picture.ts';
import { feeds } from './feeds.ts';
import { type Code, entryScript } from './inputs.ts';
import { ratesCsv, ratesCsvDisposition, ratesCsvPath } from './rates-csv.ts';
import { cacheFor, contentType, type MadeResource, type Resource } from './resource.ts';
import type { SharePicture, SharePictures } from './share-picture.tsx';

/** What an edition is made of. */
export type Ingredients = {
  content: Content;
  /** Every page of the content, open. */
  pages: readonly OpenPage[];
  /** Pictures that the content shows. */
  pictures: readonly PictureFile[];
  /** What shared links show. */
  share: SharePictures;
  siteUrl: string;
  styles: Styles;
  scripts: Code['scripts'];
  assets: Assets;
};

/** Everything an edition publishes, and what it is called. */
export type Draft = {
  /** Hash of all resources: the same content gives the same id on every machine. */
  id: string;
  /** Milliseconds since 1970 of the newest date in the content, which unlike a clock is the same for every build. */
  timestamp: number;
  resources: readonly Resource[];
  /** What else is published, and still has to be made. */
  made: readonly MadeResource[];
  /** Addresses of the prerendered pages. */
  prerendered: readonly string[];
  errorPages: readonly ErrorPage[];
  images: SiteImages;
};

/** A page for a web server to show when it cannot reach this one, or refuses a request by itself. */
export type ErrorPage = { status: number; document: Document };

/** Addresses of the pictures that the site itself needs, whatever its content. */
export type SiteImages = {
  /** What shared links show, unless their page has a picture of its own. */
  share: string;
  /** What links to a page show, by its canonical address without a query. */
  shares: Readonly<Record<string, string>>;
  /** What stands in for the live video while there is none. */
  placeholder: string;
  /** Drawings of error pages, by status. */
  errors: Readonly<Record<number, string>>;
};

/** Which drawing explains which status: whatever is too large is a carton that no gate takes. */
const errorDrawings: Readonly<Record<number, string>> = {
  404: '404',
  413: '413',
  414: '413',
  429: '429',
  431: '413',
  500: '500',
  503: '503',
};

/** @throws if one of the files is missing from `public/` */
function siteImages(assets: Assets, { general, pages }: SharePictures): SiteImages {
  const href = (path: string) => {
    const asset = assets.get(path);
    if (asset === undefined) throw new Error(`public${path} is missing; every site needs this picture.`);
    return asset.href;
  };
  return {
    share: general.path,
    shares: Object.fromEntries([...pages].map(([path, picture]) => [path, picture.path])),
    placeholder: href('/images/broadcast-off.svg'),
    errors: Object.fromEntries(
      Object.entries(errorDrawings).map(([status, name]) => [status, href(`/images/errors/${name}.svg`)]),
    ),
  };
}

/** What a web server in front may have to say by itself. */
const errorMessages: Readonly<Record<number, string>> = {
  400: 'Браузер прислал запрос, который мы не смогли прочитать. Откройте главную страницу или позвоните нам.',
  404: 'Откройте главную страницу или позвоните нам.',
  405: 'Так обратиться к этой странице нельзя. Откройте главную страницу или позвоните нам.',
  413: 'Сообщение слишком большое. Сократите его и отправьте ещё раз или позвоните нам.',
  414: 'Адрес страницы слишком длинный. Откройте главную страницу или позвоните нам.',
  431: 'Браузер прислал слишком много служебных данных. Удалите файлы cookie этого сайта или позвоните нам.',
  500: 'Откройте главную страницу или позвоните нам.',
  503: 'Сайт на минуту остановлен. Заявка не отправлена: повторите через минуту или позвоните нам.',
};

/** Renders every page and everything beside the pages. Pure. */
export function prerender(ingredients: Ingredients): Draft {
  const { content, pages, pictures, share, siteUrl, styles, scripts, assets } = ingredients;
  const images = siteImages(assets, share);
  const render = documentRenderer({ content, siteUrl, styles, images, script: entryScript(scripts) });
  const bare = securityHeaders(siteUrl);
  const resources = [
    ...pages.flatMap((page) => pageResources(page, render, bare)),
    ...feeds(content, siteUrl, pages, bare),
    priceList(content, bare),
    webManifest(content.company.name, bare),
    ...files(assets, bare),
    ...modules(scripts, bare),
    ...drawings(pictures, bare),
  ];
  const made = [...photographs(pictures, bare), ...shared([share.general, ...share.pages.values()], bare)];
  const errorPages = Object.entries(errorMessages).map(([status, message]) => ({
    status: Number(status),
    document: render(
      errorView(content, { status: Number(status), message, path: '/', image: images.errors[Number(status)] }),
    ),
  }));
  const id = editionId(resources, made, errorPages);
  const timestamp = newestDate(content);
  const prerendered = pages.map(({ path }) => path);
  return {
    id,
    timestamp,
    prerendered,
    errorPages,
    images,
    made,
    resources: [...resources, ...manifests(id, timestamp, prerendered, content, bare)],
  };
}

export type OpenPage = Address & { view: View };

/** Every page of the content, with what it shows. */
export function openPages(content: Content): OpenPage[] {
  return addresses(content).map((address) => ({ ...address, view: opened(address, content) }));
}

function opened({ path, route, params }: Address, content: Content): View {
  const view = route.page.open(content, params, {});
  if (view === undefined) throw new Error(`${path} is listed by its page, which then refuses to open it.`);
  return view;
}

function pageResources({ path, route, view }: OpenPage, render: Renderer, bare: Headers): Resource[] {
  const document = render(view);
  const folder = path === '/' ? '' : `${path.slice(1)}/`;
  return [
    {
      path,
      file: `${folder}index.html`,
      type: contentType('.html'),
      body: Buffer.from(document.html),
      cacheControl: cacheFor.revalidate,
      query: route.page.query,
      security: document.headers,
    },
    {
      path: `/${folder}_payload.json`,
      file: `${folder}_payload.json`,
      type: contentType('.json'),
      body: Buffer.from(JSON.stringify(view.data)),
      cacheControl: cacheFor.revalidate,
      versionedCacheControl: cacheFor.ever,
      query: [],
      security: bare,
    },
  ];
}

/** The rates for spreadsheets; a browser saves it under a name of its own. */
function priceList({ rates }: Content, security: Headers): Resource {
  return {
    path: ratesCsvPath,
    file: ratesCsvPath.slice(1),
    type: contentType(ratesCsvPath),
    body: Buffer.from(ratesCsv(rates)),
    cacheControl: cacheFor.revalidate,
    query: [],
    security: { ...security, 'Content-Disposition': ratesCsvDisposition(rates) },
  };
}

/** How a phone shows the site that someone keeps on its first screen. The colours are `--paper` of styles/tokens.css. */
function webManifest(name: string, security: Headers): Resource {
  const manifest = {
    name,
    short_name: name,
    lang: 'ru',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    theme_color: '#faf6ef',
    background_color: '#faf6ef',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  const file = 'site.webmanifest';
  return {
    path: `/${file}`,
    file,
    type: contentType(file),
    body: Buffer.from(JSON.stringify(manifest)),
    cacheControl: cacheFor.revalidate,
    query: [],
    security,
  };
}

function files(assets: Assets, security: Headers): Resource[] {
  return [...assets.values()].map(({ href, bytes, immutable }) => ({
    path: href,
    file: href.slice(1),
    type: contentType(href),
    body: bytes,
    cacheControl: immutable ? cacheFor.ever : cacheFor.hour,
    query: [],
    security,
  }));
}

function modules(scripts: Code['scripts'], security: Headers): Resource[] {
  return scripts.map(({ path, text }) => ({
    path,
    file: path.slice(1),
    type: contentType(path),
    body: Buffer.from(text),
    cacheControl: cacheFor.ever,
    query: [],
    security,
  }));
}

function drawings(pictures: readonly PictureFile[], security: Headers): Resource[] {
  return pictures.flatMap((picture) =>
    picture.drawing ? [{ ...immutable(drawingPath(picture), security), body: picture.bytes }] : [],
  );
}

function photographs(pictures: readonly PictureFile[], security: Headers): MadeResource[] {
  return pictures
    .flatMap((picture) => (picture.drawing ? [] : variants(picture)))
    .map((variant) => ({ ...immutable(variant.path, security), make: () => encodePicture(variant) }));
}

function shared(pictures: readonly SharePicture[], security: Headers): MadeResource[] {
  return pictures.map(({ path, make }) => ({ ...immutable(path, security), make }));
}

/** What is published under a name that changes with its bytes. */
function immutable(path: string, security: Headers): Omit<Resource, 'body'> {
  return { path, file: path.slice(1), type: contentType(path), cacheControl: cacheFor.ever, query: [], security };
}

function manifests(
  id: string,
  timestamp: number,
  prerendered: readonly string[],
  content: Content,
  security: Headers,
): Resource[] {
  const redirects = content.redirects.map(({ from, to }) => [from, { redirect: to }]);
  const rules = prerendered.map((path) => [path, { prerender: true }]);
  const manifest = {
    id,
    timestamp,
    matcher: { static: Object.fromEntries([...rules, ...redirects]), wildcard: {}, dynamic: {} },
    prerendered,
  };
  const json = (file: string, value: unknown, cacheControl: string): Resource => ({
    path: `/${file}`,
    file,
    type: contentType('.json'),
    body: Buffer.from(JSON.stringify(value)),
    cacheControl,
    query: [],
    security,
  });
  return [
    json('builds/latest.json', { id, timestamp }, cacheFor.never),
    json(`builds/meta/${id}.json`, manifest, cacheFor.ever),
  ];
}

function editionId(
  resources: readonly Resource[],
  made: readonly MadeResource[],
  errorPages: readonly ErrorPage[],
): string {
  const hash = createHash('sha256').update(JSON.stringify(errorPages));
  for (const { path, type, cacheControl, security, body } of resources) {
    hash.update(JSON.stringify([path, type, cacheControl, security, body.length]));
    hash.update(body);
  }
  // By its address, a picture counts with all that it is made from, whatever an encoder makes of it on this machine.
  for (const { path, type, cacheControl, security } of made) {
    hash.update(JSON.stringify([path, type, cacheControl, security]));
  }
  return hash.digest('hex').slice(0, 16);
}

function newestDate(content: Content): number {
  const dates = [...content.articles, ...content.news, ...content.cases, ...content.reviews].map((item) =>
    'updated' in item && item.updated ? item.updated : item.published,
  );
  return Date.parse([content.rates.effective, ...dates].sort().at(-1) ?? content.rates.effective);
}

import { createHash } from 'node:crypto';
import { type Document, documentRenderer, type Renderer, type Styles } from '../document/document.tsx';
import { type Headers, securityHeaders } from '../document/security-headers.ts';
import { errorView } from '../pages/error.tsx';
import type { View } from '../pages/page.ts';
import { type Address, addresses } from '../routes.ts';
import type { Assets } from '../site/assets.ts';
import type { Content } from '../site/content.ts';
import { feeds } from './feeds.ts';
import { type Code, entryScript } from './inputs.ts';
import { cacheFor, contentType, type Resource } from './resource.ts';

/** What an edition is made of. */
export type Ingredients = {
  content: Content;
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
  /** Addresses of the prerendered pages. */
  prerendered: readonly string[];
  errorPages: readonly ErrorPage[];
  images: SiteImages;
};

/** A page for a web server to show when it cannot reach this one, or refuses a request by itself. */
export type ErrorPage = { status: number; document: Document };

/** Addresses of the pictures that the site itself needs, whatever its content. */
export type SiteImages = {
  /** What shared links show. */
  share: string;
  /** What stands in for the live video while there is none. */
  placeholder: string;
  /** Drawings of error pages, by status. */
  errors: Readonly<Record<number, string>>;
};

/** @throws if one of the files is missing from `public/` */
function siteImages(assets: Assets): SiteImages {
  const href = (path: string) => {
    const asset = assets.get(path);
    if (asset === undefined) throw new Error(`public${path} is missing; every site needs this picture.`);
    return asset.href;
  };
  return {
    share: href('/images/share.png'),
    placeholder: href('/images/broadcast-off.svg'),
    errors: { 404: href('/images/errors/404.svg'), 500: href('/images/errors/500.svg') },
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
export function prerender({ content, siteUrl, styles, scripts, assets }: Ingredients): Draft {
  const images = siteImages(assets);
  const render = documentRenderer({ content, siteUrl, styles, shareImage: images.share, script: entryScript(scripts) });
  const bare = securityHeaders(siteUrl);
  const pages = addresses(content).map((address) => ({ ...address, view: opened(address, content) }));
  const resources = [
    ...pages.flatMap((page) => pageResources(page, render, bare)),
    ...feeds(content, siteUrl, pages, bare),
    ...files(assets, bare),
    ...modules(scripts, bare),
  ];
  const errorPages = Object.entries(errorMessages).map(([status, message]) => ({
    status: Number(status),
    document: render(
      errorView(content, { status: Number(status), message, path: '/', image: images.errors[Number(status)] }),
      { onAir: false },
    ),
  }));
  const id = editionId(resources, errorPages);
  const timestamp = newestDate(content);
  const prerendered = pages.map(({ path }) => path);
  return {
    id,
    timestamp,
    prerendered,
    errorPages,
    images,
    resources: [...resources, ...manifests(id, timestamp, prerendered, content, bare)],
  };
}

type OpenPage = Address & { view: View };

function opened({ path, route, params }: Address, content: Content): View {
  const view = route.page.open(content, params, {});
  if (view === undefined) throw new Error(`${path} is listed by its page, which then refuses to open it.`);
  return view;
}

function pageResources({ path, route, view }: OpenPage, render: Renderer, bare: Headers): Resource[] {
  const document = render(view, { onAir: false });
  const folder = path === '/' ? '' : `${path.slice(1)}/`;
  return [
    {
      path,
      file: `${folder}index.html`,
      type: contentType('.html'),
      body: Buffer.from(document.html),
      onAir: Buffer.from(render(view, { onAir: true }).html),
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

const nothing = Buffer.alloc(0);

function editionId(resources: readonly Resource[], errorPages: readonly ErrorPage[]): string {
  const hash = createHash('sha256').update(JSON.stringify(errorPages));
  for (const { path, type, cacheControl, security, body, onAir = nothing } of resources) {
    hash.update(JSON.stringify([path, type, cacheControl, security, body.length, onAir.length]));
    hash.update(body).update(onAir);
  }
  return hash.digest('hex').slice(0, 16);
}

function newestDate(content: Content): number {
  const dates = [...content.articles, ...content.news, ...content.cases, ...content.reviews].map((item) =>
    'updated' in item && item.updated ? item.updated : item.published,
  );
  return Date.parse([content.rates.effective, ...dates].sort().at(-1) ?? content.rates.effective);
}

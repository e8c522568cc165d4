import { documentRenderer, type Renderer, shellOf } from '../document/document.tsx';
import type { Page, View } from '../document/page.ts';
import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { lazy, memoized } from '../lib/lazy.ts';
import type { Content } from '../model/content.ts';
import { type ContentFiles, revisionOf } from '../reading/content-files.ts';
import type { LoadedContent } from '../reading/load.ts';
import { type Address, addresses } from '../routes.ts';
import type { Bodies } from './bodies.ts';
import { type BuildInputs, entryScript } from './code.ts';
import { type FixedImages, fixedImages, siteFiles } from './files.ts';
import { photoPictures, type SitePicture, sharePicture } from './pictures.ts';
import { contentType, fileAt, type HeaderSet, response, type SiteResponse } from './response.ts';
import { shareCards, shareName } from './share-picture.tsx';

/** What answers `GET`: a content at a moment, rendered by this code. Immutable; pages are rendered when first asked for. */
export type Site = {
  /** Names all that it is made of, so that replicas agree without talking. */
  id: string;
  /** Names the files of its content. */
  revision: Hash;
  /** From then on the same files make another site. */
  until: Date;
  content: Content;
  images: FixedImages;
  /** Addresses of its pages, as they are without a query. */
  paths: readonly string[];
  /** Addresses of what is no page and needs no making: scripts, feeds, drawings. */
  files: readonly string[];
  /** Addresses of files for the root that the site itself answers. */
  clashes: readonly string[];
  find(path: string): SiteResponse | undefined;
  /** A picture that is made beside the server. */
  picture(path: string): SitePicture | undefined;
  /** All of those; each step may open a page. */
  pictures(): Iterable<SitePicture>;
  /** Renders a page with a query, a form, an error. */
  render: Renderer['render'];
  /** A page as it is without a query. @throws if there is none */
  open(path: string): View;
  /** Reads a file of the content, or of `public/`, by its hash. */
  read(file: Hash): Buffer;
};

const payloadName = '/_payload.json';

type Parts = {
  files: ContentFiles;
  loaded: LoadedContent;
  inputs: BuildInputs;
  bodies: Bodies;
  /** Whether drafts and posts to come are shown, marked. */
  drafts?: boolean;
};

export function makeSite({ files, loaded, inputs, bodies, drafts = false }: Parts): Site {
  const { code, assets, siteUrl, integrations } = inputs;
  const content = (drafts && loaded.preview) || loaded.content;
  const revision = revisionOf(files);
  const id = keyOf(revision, code.id, siteUrl, integrations, content.at, drafts).slice(0, 16);
  const table = new Map(addresses(content).map((address) => [address.path, address]));
  const paths = [...table.keys()];
  const cards = shareCards(content.company, assets, loaded.pictures);
  const general = sharePicture(undefined, cards.general);
  const images = fixedImages(assets, general.path);
  const shell = shellOf(content, { siteUrl, script: entryScript(code.scripts) });
  const renderer = documentRenderer({ shell, styles: code.styles, sharePicture: (path) => shareOf(path).path });

  function open(path: string): View {
    const address = table.get(path);
    if (address === undefined) throw new Error(`There is no page at ${path}.`);
    return opened(address, content);
  }

  const pictureOf = memoized((path: string) => sharePicture(path, cards.of(open(path))));
  /** Errors are shown at any address. */
  const shareOf = (path: string) => (table.has(path) ? pictureOf(path) : general);

  const written = lazy(() => new Map([...files.values()].map((file) => [file.hash, file])));
  const drawn = lazy(() => new Map([...assets.values()].map(({ bytes }) => [hashOf(bytes), bytes])));
  const read = (hash: Hash) => written().get(hash)?.bytes() ?? drawn().get(hash) ?? Buffer.alloc(0);

  const pageHeaders = memoized((page: Page): HeaderSet => {
    return { type: contentType('.html'), cacheControl: cacheFor.revalidate, security: renderer.headersOf(page) };
  });
  const payloadHeaders: HeaderSet = {
    type: contentType('.json'),
    cacheControl: cacheFor.revalidate,
    versionedCacheControl: cacheFor.ever,
    security: fileHeaders(siteUrl),
  };

  const pages = new Map<string, { page: SiteResponse; payload: SiteResponse }>();

  /** Both addresses of an article have one document. */
  function pageAt(path: string): { page: SiteResponse; payload: SiteResponse } | undefined {
    const known = pages.get(path);
    const address = known ? undefined : table.get(path);
    if (address === undefined) return known;
    const { head } = opened(address, content);
    const canonical = head.path === path ? undefined : pageAt(head.path);
    const made = canonical ?? {
      page: response({
        headers: pageHeaders(address.page),
        make: () => Buffer.from(renderer.render(opened(address, content)).html),
        query: address.page.query,
        bodies,
        buildId: id,
      }),
      payload: response({
        headers: payloadHeaders,
        make: () => Buffer.from(JSON.stringify(opened(address, content).data)),
        bodies,
      }),
    };
    pages.set(path, made);
    return made;
  }

  const own = siteFiles({
    ...inputs,
    id,
    content,
    pictures: loaded.pictures,
    read,
    pages: () => paths.map((path) => ({ path, view: open(path) })),
    paths,
  });
  const atRoot = loaded.rootFiles.map(({ path, file }) =>
    fileAt(path, read(file), cacheFor.revalidate, fileHeaders(siteUrl)),
  );
  const others = new Map([...atRoot, ...own].map((file) => [file.path, response({ ...file, bodies })]));
  const taken = new Set([...paths, ...own.map(({ path }) => path)]);
  const photos = new Map(
    loaded.pictures
      .filter(({ drawing }) => !drawing)
      .flatMap(photoPictures)
      .map((picture) => [picture.path, picture]),
  );
  const shared = lazy(() => new Map(paths.map((path) => [shareName(path), path])));

  /** A page that names its picture says so in its address. */
  function sharedAt(path: string): SitePicture | undefined {
    const name = /^\/share\/([^.]*)\./.exec(path)?.[1];
    const page = name === undefined ? undefined : shared().get(name);
    const picture = page === undefined ? general : shareOf(page);
    return picture.path === path ? picture : undefined;
  }

  return {
    id,
    revision,
    until: loaded.until,
    content,
    images,
    paths,
    files: [...others.keys()],
    clashes: atRoot.map(({ path }) => path).filter((path) => taken.has(path)),
    find(path) {
      const file = others.get(path);
      if (file) return file;
      if (!path.endsWith(payloadName)) return pageAt(path)?.page;
      return pageAt(path.slice(0, -payloadName.length) || '/')?.payload;
    },
    picture: (path) => photos.get(path) ?? sharedAt(path),
    *pictures() {
      yield general;
      yield* photos.values();
      for (const path of paths) if (open(path).head.path === path) yield shareOf(path);
    },
    render: renderer.render,
    open,
    read,
  };
}

function opened({ path, page, params }: Address, content: Content): View {
  const view = page.open(content, params, {});
  if (view === undefined) throw new Error(`${path} is listed by its page, which then refuses to open it.`);
  return view;
}

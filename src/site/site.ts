import { documentRenderer, layoutData, type Renderer } from '../document/document.tsx';
import type { View } from '../document/page.ts';
import { fileHeaders } from '../document/security-headers.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import type { Content } from '../model/content.ts';
import type { Assets } from '../reading/assets.ts';
import { type ContentFiles, revisionOf } from '../reading/content-files.ts';
import type { LoadedContent } from '../reading/load.ts';
import type { Bodies } from './bodies.ts';
import { type BuildInputs, entryScript } from './code.ts';
import { type FixedImages, fixedImages, siteFiles } from './files.ts';
import { pageResponses, pageTable } from './pages.ts';
import { type SitePicture, sitePictures } from './pictures.ts';
import { fileAt, response, type SiteResponse } from './response.ts';
import { shareCards } from './share-picture.tsx';

/** Content at a moment. Immutable; pages are rendered on first use. */
export type Site = {
  /** Hash of all inputs, so replicas agree on it. */
  id: string;
  revision: Hash;
  /** When a date next changes a page. */
  until: Date;
  content: Content;
  images: FixedImages;
  /** Without queries. */
  paths: readonly string[];
  /** Neither pages nor encoded pictures. */
  files: readonly string[];
  /** Root files of editors that the site itself overrides. */
  clashes: readonly string[];
  find(path: string): SiteResponse | undefined;
  /** Encoded by a job. */
  picture(path: string): SitePicture | undefined;
  /** May render a page at each step. */
  pictures(): Iterable<SitePicture>;
  /** For pages with a query, forms and errors. */
  render: Renderer['render'];
  /** @throws if it is missing */
  open(path: string): View;
  /** A file of the content or of `public/`. */
  read(file: Hash): Buffer;
};

type Parts = {
  files: ContentFiles;
  loaded: LoadedContent;
  inputs: BuildInputs;
  bodies: Bodies;
  /** Of the content, for the id. */
  drafts?: boolean;
};

export function makeSite({ files, loaded, inputs, bodies, drafts = false }: Parts): Site {
  const { code, assets, siteUrl, integrations } = inputs;
  const { content } = loaded;
  const revision = revisionOf(files);
  const id = keyOf(revision, code.id, siteUrl, integrations, content.at, drafts).slice(0, 16);
  const read = readerOf(files, assets);
  const table = pageTable(content);
  const { paths, open } = table;
  const photos = loaded.pictures.filter(({ drawing }) => !drawing);
  const pictures = sitePictures(photos, shareCards(content.company, assets, loaded.pictures), table);
  const layout = layoutData(content, { siteUrl, script: entryScript(code.scripts) });
  const renderer = documentRenderer({ layout, styles: code.styles, sharePicture: (page) => pictures.of(page).path });
  const page = pageResponses({ table, renderer, bodies, siteUrl, buildId: id });

  const own = siteFiles({ ...inputs, id, content, pictures: loaded.pictures, read, table });
  const atRoot = loaded.rootFiles.map(({ path, file }) =>
    fileAt(path, read(file), cacheFor.revalidate, fileHeaders(siteUrl)),
  );
  const others = new Map([...atRoot, ...own].map((file) => [file.path, response({ ...file, bodies })]));
  const taken = new Set([...paths, ...own.map(({ path }) => path)]);

  return {
    id,
    revision,
    until: loaded.until,
    content,
    images: fixedImages(assets, pictures.general.path),
    paths,
    files: [...others.keys()],
    clashes: atRoot.map(({ path }) => path).filter((path) => taken.has(path)),
    find: (path) => others.get(path) ?? page(path),
    picture: pictures.at,
    pictures: pictures.all,
    render: renderer.render,
    open,
    read,
  };
}

function readerOf(files: ContentFiles, assets: Assets): (file: Hash) => Buffer {
  const written = lazy(() => new Map([...files.values()].map((file) => [file.hash, file])));
  const drawn = lazy(() => new Map([...assets.values()].map(({ bytes }) => [hashOf(bytes), bytes])));
  return (file) => written().get(file)?.bytes() ?? drawn().get(file) ?? Buffer.alloc(0);
}

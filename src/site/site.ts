import type { Cache } from '../lib/cache.ts';
import { cacheFor } from '../lib/cache-for.ts';
import type { PartialFile } from '../lib/file-parts.ts';
import { type Hash, keyOf } from '../lib/hash.ts';
import { type ContentFiles, revisionOf } from '../loading/content-files.ts';
import type { LoadedContent } from '../loading/load-content.ts';
import type { NextIds } from '../loading/names.ts';
import { logoFile } from '../loading/own-drawings.ts';
import { drawingPath } from '../loading/read-pictures.ts';
import { videosIn } from '../loading/videos.ts';
import type { Content } from '../model/content.ts';
import type { PageView } from '../pages/page.ts';
import { type BuildInputs, entryScript } from './compiled-code.ts';
import { documentRenderer, layoutData, type Render } from './document.tsx';
import { pageResponses, pageTable } from './page-table.ts';
import type { SiteResponse } from './response.ts';
import { fileHeaders } from './security-headers.ts';
import { shareCards } from './share-picture.tsx';
import { type FixedImages, fileResponses, fixedImages, siteFiles } from './site-files.ts';
import { type SitePicture, sitePictures } from './site-pictures.ts';

/** Content at a moment; immutable. */
export type Site = {
  /** Hash of all inputs, the same on every replica. */
  id: string;
  revision: Hash;
  /** When a date next changes a page. */
  until: Date;
  content: Content;
  images: FixedImages;
  paths: readonly string[];
  /** Excludes pages and encoded pictures. */
  files: readonly string[];
  /** Editors' root files that the site overrides. */
  clashes: readonly string[];
  find(path: string): SiteResponse | undefined;
  picture(path: string): SitePicture | undefined;
  video(path: string): PartialFile | undefined;
  /** Opens every page. */
  pictures(): readonly SitePicture[];
  /** For new posts. */
  nextIds: NextIds;
  /** For pages with a query, forms and errors. */
  render: Render;
  open(path: string): PageView;
};

type SiteParts = {
  files: ContentFiles;
  loaded: LoadedContent;
  inputs: BuildInputs;
  cache: Cache;
  drafts: boolean;
};

export function makeSite({ files, loaded, inputs, cache, drafts }: SiteParts): Site {
  const { code, assets, siteUrl, integrations, retention } = inputs;
  const { content } = loaded;
  const revision = revisionOf(files);
  const id = keyOf(revision, code.id, siteUrl, integrations, retention, content.at, drafts).slice(0, 16);
  const byHash = new Map([...files.values()].map((file) => [file.hash, file]));
  const fileOf = (hash: Hash) => byHash.get(hash);
  const read = (hash: Hash) => fileOf(hash)?.bytes() ?? Buffer.alloc(0);

  const table = pageTable(content);
  const drawings = loaded.pictures.filter(({ drawing }) => drawing);
  const photos = loaded.pictures.filter(({ drawing }) => !drawing);
  const logo = drawings.find(({ file }) => file === files.get(logoFile)?.hash);
  const cards = shareCards({ company: content.company, assets, drawings });
  const pictures = sitePictures({ photos, logo, cards, table, fileOf });
  const videos = videosIn(files, cache);
  const layout = layoutData(content, {
    siteUrl,
    has: table.has,
    script: entryScript(code.scripts),
    logo: logo && drawingPath(logo),
  });
  const render = documentRenderer({ layout, styles: code.styles, sharePicture: (page) => pictures.of(page).path });

  const security = fileHeaders(siteUrl);
  const file = fileResponses(cache, security);
  const pages = pageResponses({ table, render, cache, security, buildId: id });
  const own = siteFiles({ ...inputs, id, content, drawings, logo, table }, file);
  const sandboxed = fileHeaders(siteUrl, { sandbox: true });
  const atRoot = loaded.rootFiles.map((one) => file(one.path, cacheFor.revalidate, () => read(one.file), sandboxed));
  const taken = new Map([...pages, ...own]);
  const responses = new Map([...atRoot, ...taken]);

  return {
    id,
    revision,
    until: loaded.until,
    content,
    images: fixedImages(assets, pictures.general.path),
    paths: table.addresses.map(({ path }) => path),
    files: [...new Map([...atRoot, ...own]).keys()],
    clashes: atRoot.map(([path]) => path).filter((path) => taken.has(path)),
    find: (path) => responses.get(path),
    picture: pictures.at,
    video: (path) => videos.get(path),
    pictures: pictures.all,
    nextIds: loaded.nextIds,
    render,
    open: table.open,
  };
}

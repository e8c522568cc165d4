import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../lib/calendar.ts';
import { type Hash, keyOf } from '../lib/hash.ts';
import { lazy, memoized } from '../lib/lazy.ts';
import { loadSharp } from '../lib/sharp.ts';
import { encodings, mostPixels, type PhotoSize, type PictureFile, photoSizes } from '../reading/pictures.ts';
import type { PageTable } from './pages.ts';
import { paintShareCard, type ShareCard, type ShareCards, shareName, sharePath } from './share-picture.tsx';

/*
 * Pictures that cost too much to make while a visitor waits: photographs in every size, and what links to pages show. One
 * job makes those that are missing; each is a file that is named by a hash of what it is made of.
 */

/** What one of them is made of. */
export type PictureSource = { photo: Pick<PhotoSize, 'width' | 'format'> & { file: Hash } } | { share: ShareCard };

/** One of them at its address. */
export type SitePicture = {
  path: string;
  /** Name of its file. */
  file: string;
  source: PictureSource;
  /** What is sent until there is a file: the photograph as it is, or the picture of the whole site. */
  meanwhile: { photo: Hash; ending: string } | 'general';
};

/** The pictures of a site. */
export type SitePictures = {
  /** The one that links to pages show which have none of their own. */
  general: SitePicture;
  /** The one that links to a page show. */
  of(page: string): SitePicture;
  at(path: string): SitePicture | undefined;
  /** Each step may open a page. */
  all(): Iterable<SitePicture>;
};

export function sitePictures(photos: readonly PictureFile[], cards: ShareCards, table: PageTable): SitePictures {
  const general = sharePicture(undefined, cards.general);
  const ofPage = memoized((page: string) => sharePicture(page, cards.of(table.open(page))));
  // An error page can be at any address.
  const of = (page: string) => (table.has(page) ? ofPage(page) : general);
  const sizes = new Map(photos.flatMap(photoPictures).map((picture) => [picture.path, picture]));
  const pagesByName = lazy(() => new Map(table.paths.map((page) => [shareName(page), page])));

  /** The address of such a picture names its page. */
  function sharedAt(path: string): SitePicture | undefined {
    const name = /^\/share\/([^.]*)\./.exec(path)?.[1];
    const page = name === undefined ? undefined : pagesByName().get(name);
    const picture = page === undefined ? general : of(page);
    return picture.path === path ? picture : undefined;
  }

  return {
    general,
    of,
    at: (path) => sizes.get(path) ?? sharedAt(path),
    *all() {
      yield general;
      yield* sizes.values();
      for (const page of table.paths) if (table.open(page).head.path === page) yield of(page);
    },
  };
}

/** Every size of a photograph. */
export function photoPictures(photo: PictureFile): SitePicture[] {
  return photoSizes(photo).map(({ path, width, format, file }) => {
    const source = { photo: { width, format, file } };
    return { path, source, file: fileNameOf(source), meanwhile: { photo: file, ending: photo.ending } };
  });
}

/** @param page its address; `undefined` means the whole site */
function sharePicture(page: string | undefined, share: ShareCard): SitePicture {
  return { path: sharePath(page, share), source: { share }, file: fileNameOf({ share }), meanwhile: 'general' };
}

function fileNameOf(source: PictureSource): string {
  return `${keyOf(source)}.${'photo' in source ? source.photo.format : 'png'}`;
}

/** Folders that pictures are looked for in: that of `DATA_DIR`, where new ones come, and what the build has made. */
export type PictureFolders = readonly [own: string, ...others: string[]];

/** @returns `undefined` if it is not made yet */
export async function readPicture(file: string, folders: PictureFolders): Promise<Buffer | undefined> {
  for (const folder of folders) {
    try {
      return await readFile(join(folder, file));
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}

/** Those that no folder has. */
export function missingPictures(pictures: readonly SitePicture[], folders: PictureFolders): SitePicture[] {
  const made = new Set(folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])));
  return pictures.filter(({ file }) => !made.has(file));
}

/**
 * Makes a picture and puts it into a folder. Another process may do the same: either finds a whole file there.
 *
 * @param read reads a file of the content, or of `public/`
 */
export async function makePicture({ source, file }: SitePicture, folder: string, read: Reads): Promise<void> {
  const bytes = 'photo' in source ? await encodePhoto(source.photo, read) : await paintShareCard(source.share, read);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${randomUUID()}`);
  writeFileSync(temporary, bytes);
  renameSync(temporary, join(folder, file));
}

type Reads = (file: Hash) => Buffer;

/**
 * A photograph in one width and format: turned as the camera says, in the colours of the web, and without what else the
 * camera has written down, such as the place.
 */
async function encodePhoto({ width, format, file }: Extract<PictureSource, { photo: object }>['photo'], read: Reads) {
  const sharp = await loadSharp();
  const resized = sharp(read(file), { limitInputPixels: mostPixels }).autoOrient().resize({ width });
  return resized.toFormat(format, encodings[format]).toBuffer();
}

/** Days for which a picture stays that no page shows: an older revision may come back. */
const daysKept = 60;

/** Removes pictures that no page has shown for long, and files that a killed process has left. */
export function removeOldPictures(folder: string, shown: readonly SitePicture[], now: Date): void {
  if (!existsSync(folder)) return;
  const needed = new Set(shown.map(({ file }) => file));
  const oldest = now.getTime() - daysKept * dayMs;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (needed.has(name)) utimesSync(path, now, now);
    else if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
  }
}

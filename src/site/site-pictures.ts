import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { cacheFor } from '../lib/cache-for.ts';
import { dayMs } from '../lib/durations.ts';
import type { PartialFile } from '../lib/file-parts.ts';
import { replaceFile } from '../lib/files.ts';
import { type Hash, keyOf } from '../lib/hash.ts';
import { memoized } from '../lib/lazy.ts';
import { loadSharp } from '../lib/sharp.ts';
import type { ContentFile } from '../loading/content-files.ts';
import { encodings, maxPixels, type PhotoSize, type PictureFile, photoSizes } from '../loading/read-pictures.ts';
import { drawIcon, icons } from './icons.ts';
import type { PageTable } from './page-table.ts';
import { paintShareCard, type ShareCard, type ShareCards, shareKey } from './share-picture.tsx';

/* Encoded by a job, too slow for requests. File names hash the inputs. */

export type SitePicture = {
  path: string;
  file: string;
  encode(): Promise<Buffer>;
  cacheControl: string;
  /** Sent until the file exists: a drawing, or parts of a file on disk. */
  original?: Buffer | PartialFile | undefined;
};

type SitePictures = {
  general: SitePicture;
  of(page: string): SitePicture;
  at(path: string): SitePicture | undefined;
  /** Opens every page. */
  all(): SitePicture[];
};

type Parts = {
  photos: readonly PictureFile[];
  /** Of the content. */
  logo: PictureFile | undefined;
  cards: ShareCards;
  table: PageTable;
  fileOf(hash: Hash): ContentFile | undefined;
};

export function sitePictures({ photos, logo, cards, table, fileOf }: Parts): SitePictures {
  const general = sharePicture('/site', cards.general);
  const ofPage = memoized((page: string) => sharePicture(page === '/' ? '/home' : page, cards.of(table.open(page))));
  // Error pages can have any address.
  const of = (page: string) => (table.has(page) ? ofPage(page) : general);
  const ofFiles = [
    ...photos.flatMap((photo) => photoPictures(photo, fileOf(photo.file))),
    ...(logo ? logoPictures(logo) : []),
  ];
  const byPath = new Map(ofFiles.map((one) => [one.path, one]));

  function sharedAt(path: string): SitePicture | undefined {
    const page = /^\/share(\/.*)\.\w+\.png$/.exec(path)?.[1];
    if (page === undefined) return undefined;
    return [general, of('/'), of(page)].find((picture) => picture.path === path);
  }

  return {
    general,
    of,
    at: (path) => byPath.get(path) ?? sharedAt(path),
    all() {
      const pages = table.addresses.filter(({ path }) => table.open(path).head.path === path);
      return [general, ...byPath.values(), ...pages.map(({ path }) => of(path))];
    },
  };
}

export function photoPictures(photo: PictureFile, original: ContentFile | undefined): SitePicture[] {
  const { file, parts } = photo;
  const path = original?.path;
  return photoSizes(photo).map(({ path: address, width, format }) => ({
    path: address,
    file: `${keyOf(file, width, format)}.${format}`,
    encode: () => encodePhoto(original?.bytes(), width, format),
    cacheControl: cacheFor.ever,
    original: path !== undefined && parts ? { path, parts } : undefined,
  }));
}

function logoPictures({ file, width, height, drawing = Buffer.alloc(0) }: PictureFile): SitePicture[] {
  return icons.map((icon) => ({
    path: icon.path,
    file: `${keyOf(file, icon)}${extname(icon.path)}`,
    encode: () => drawIcon(icon, drawing, Math.max(width, height)),
    cacheControl: cacheFor.hour,
    original: drawing,
  }));
}

function sharePicture(name: string, card: ShareCard): SitePicture {
  const key = shareKey(card);
  return {
    path: `/share${name}.${key.slice(0, 10)}.png`,
    file: `${key}.png`,
    encode: () => paintShareCard(card),
    cacheControl: cacheFor.ever,
  };
}

/** Applies EXIF rotation, converts to sRGB, strips metadata such as the location. */
async function encodePhoto(bytes: Buffer | undefined, width: number, format: PhotoSize['format']): Promise<Buffer> {
  const sharp = await loadSharp();
  const resized = sharp(bytes, { limitInputPixels: maxPixels }).autoOrient().resize({ width });
  return resized.toFormat(format, encodings[format]).toBuffer();
}

/** `DATA_DIR` first, which is written to, then the build. */
export type PictureFolders = readonly [own: string, ...others: string[]];

/** @returns `undefined` if it is not encoded yet */
export async function readPicture(file: string, folders: PictureFolders): Promise<Buffer | undefined> {
  for (const folder of folders) {
    try {
      const bytes = await readFile(join(folder, file));
      if (bytes.length > 0) return bytes;
    } catch {
      // Try the next folder.
    }
  }
  return undefined;
}

export function missingPictures(pictures: readonly SitePicture[], folders: PictureFolders): SitePicture[] {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return pictures.filter(({ file }) => folders.every((folder) => sizeOf(join(folder, file)) === 0));
}

/** Atomic, because several processes may encode the same picture. */
export async function makePicture({ encode, file }: SitePicture, folder: string): Promise<void> {
  const bytes = await encode();
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, file), bytes);
}

/** For rollbacks. */
const daysKept = 60;

/** Temporary files of killed processes go too. */
export function removeOldPictures(folder: string, shown: readonly SitePicture[], now: Date): void {
  if (!existsSync(folder)) return;
  const needed = new Set(shown.map(({ file }) => file));
  const oldest = now.getTime() - daysKept * dayMs;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!needed.has(name) && statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
  }
}

import { basename, extname, posix } from 'node:path';
import type { Cache } from '../lib/cache.ts';
import type { PartialFile } from '../lib/file-parts.ts';
import { slugOf } from '../lib/slug.ts';
import { composed } from '../lib/tidy.ts';
import type { ContentFile, ContentFiles } from './content-files.ts';
import { nearestName } from './nearest-name.ts';
import { videoParts } from './video-parts.ts';

export const videoName = /\.mp4$/i;
/** Longer videos belong on a video host. */
const maxBytes = 16 * 1024 * 1024;

/** Keyed by the address that the site gives them. */
export function videosIn(files: ContentFiles, cache: Cache): ReadonlyMap<string, PartialFile> {
  return new Map(
    [...files].flatMap(([name, file]): [string, PartialFile][] => {
      if (!videoName.test(name) || file.path === undefined) return [];
      const parts = cache.get(`video ${file.hash}`, () => videoParts(file.bytes()));
      return 'message' in parts ? [] : [[addressOf(name, file), { path: file.path, parts }]];
    }),
  );
}

function addressOf(path: string, { hash }: ContentFile): string {
  const ending = extname(path);
  const name = slugOf(basename(path, ending)) || 'video';
  return `/videos/${name}.${hash.slice(0, 10)}${ending.toLowerCase()}`;
}

/** `href` is in NFC like all texts; the name in the file system may not be. */
function videoBeside(files: ContentFiles, file: string, href: string): string | undefined {
  const path = posix.join(posix.dirname(file), href);
  return files.has(path) ? path : [...files.keys()].find((name) => composed(name) === path);
}

/** @param href of another site, or relative to the file */
export function videoAddress(files: ContentFiles, file: string, href: string): string {
  const path = videoBeside(files, file, href);
  const video = path === undefined ? undefined : files.get(path);
  return path !== undefined && video ? addressOf(path, video) : href;
}

/** In Russian. */
export function videoProblem(files: ContentFiles, file: string, href: string): string | undefined {
  const path = posix.join(posix.dirname(file), href);
  if (/^https?:/.test(href) || videoBeside(files, file, href) !== undefined) return undefined;
  const near = nearestName(
    path,
    [...files.keys()].filter((name) => videoName.test(name)),
  );
  const meant = near === undefined ? '' : ` Есть похожее: ${posix.relative(posix.dirname(path), near)}.`;
  return `Рядом с этим файлом такого нет. Положите сюда mp4.${meant}`;
}

/** In Russian. */
export function videoFileProblem(bytes: Buffer): string[] {
  if (bytes.length > maxBytes)
    return ['Видео больше 16 МБ. Сожмите его или выложите на видеохостинг и сошлитесь на него.'];
  const parts = videoParts(bytes);
  return 'message' in parts ? [parts.message] : [];
}

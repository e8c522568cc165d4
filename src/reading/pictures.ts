import { createHash } from 'node:crypto';
import { basename, extname, posix } from 'node:path';
import { imageSize } from 'image-size';
import type { Cache } from '../lib/cache.ts';
import { decoded } from '../lib/decoded.ts';
import type { Hash } from '../lib/hash.ts';
import { loadSharp } from '../lib/sharp.ts';
import type { Illustration } from '../model/illustration.ts';
import type { ContentFile, ContentFiles } from './content-files.ts';
import { nearestName } from './nearest-name.ts';
import { guillemets, type Problem } from './problem.ts';

/**
 * Widths in pixels that a photograph is published in, for the browser to choose from: half the column of text, the
 * column, and one and a half and two times the column for dense screens.
 */
export const widths = [336, 672, 1008, 1344] as const;

/** Width of the column of text in pixels; a narrower photograph would be enlarged. */
const columnWidth = 672;

/** How photographs are encoded, in the words of sharp. Twice the effort takes five times as long and saves 5 %. */
export const encodings = { avif: { quality: 55, effort: 2 }, webp: { quality: 80, effort: 5 } } as const;

/** Largest files that are taken, in bytes. Visitors get drawings as they are, and photographs never. */
const heaviest = { drawing: 64 * 1024, photograph: 16 * 1024 * 1024 };

/** Pixels. A small file could fill the memory when it is unpacked; no phone takes larger photographs. */
export const mostPixels = 64_000_000;

/** By the ending of a file, what `image-size` calls its format. */
const formats: Readonly<Record<string, string>> = {
  '.png': 'png',
  '.jpg': 'jpg',
  '.jpeg': 'jpg',
  '.webp': 'webp',
  '.svg': 'svg',
};

/** A picture beside the content that can be published. */
export type PictureFile = {
  /** Name that it is published under, in lower-case Latin letters, digits and hyphens. */
  name: string;
  /** Hash of its bytes. */
  file: Hash;
  /** In pixels, as people see it: turned as the camera says. */
  width: number;
  height: number;
  /** Of its own file: `.jpg`. */
  ending: string;
  /** An SVG, which is published as it is. */
  drawing: boolean;
  /** Changes when the file does, or when it would be encoded in another way. */
  hash: string;
};

/** Why a file cannot be published. */
type Unfit = Pick<Problem, 'message'>;

/** Every picture of the content folder, by its path there with forward slashes. */
export type Pictures = ReadonlyMap<string, PictureFile | Unfit>;

/** One file that is published of a photograph. */
export type PhotoSize = { path: string; width: number; format: keyof typeof encodings; file: Hash };

/**
 * Examines every picture of a content, one at a time: unpacked, a photograph takes some hundred megabytes.
 *
 * @param thorough unpacks each to its end: the head of a file that was cut off is right. A server shows what was
 *   published by that, and needs the heads alone
 */
export async function readPictures(files: ContentFiles, cache: Cache, thorough: boolean): Promise<Pictures> {
  const pictures = new Map<string, PictureFile | Unfit>();
  for (const [path, file] of files) {
    if (!(extname(path).toLowerCase() in formats)) continue;
    const picture = cache.get(`picture ${path} ${file.hash}`, () => examine(path, file));
    const whole = !thorough || 'message' in picture || (await unpacks(file));
    pictures.set(path, whole ? picture : { message: damaged });
  }
  return pictures;
}

const damaged =
  'Файл испорчен, или внутри не то, что говорит его имя. Откройте картинку и сохраните заново как JPEG или PNG.';

function examine(path: string, file: ContentFile): PictureFile | Unfit {
  const bytes = file.bytes();
  const ending = extname(path).toLowerCase();
  const drawing = ending === '.svg';
  const limit = drawing ? heaviest.drawing : heaviest.photograph;
  if (bytes.length > limit) {
    const remedy = drawing ? 'Упростите рисунок или сохраните как PNG' : 'Уменьшите снимок до 2 000 точек в ширину';
    return { message: `Файл слишком велик: ${kilobytes(bytes.length)}, а можно ${kilobytes(limit)}. ${remedy}.` };
  }
  const active = drawing ? activePart(bytes.toString()) : undefined;
  if (active !== undefined) {
    return {
      message: `В рисунке есть ${guillemets(active)}: он что-то запускает или загружает. Сохраните его как «обычный SVG» или PNG.`,
    };
  }
  const size = sizeOf(bytes);
  if (size === undefined || size.type !== formats[ending]) return { message: damaged };
  if (size.width * size.height > mostPixels) {
    return { message: `В снимке больше ${mostPixels / 1e6} мегапикселей. Уменьшите его до 2 000 точек в ширину.` };
  }
  const encoder = drawing ? '' : JSON.stringify([encodings, widths]);
  const { width, height } = size;
  const hash = shortHash(bytes, encoder);
  return { name: publishedName(path), file: file.hash, width, height, ending, drawing, hash };
}

/** As people see it, by what the head of a file says. @returns `undefined` if it is no picture */
function sizeOf(bytes: Buffer): { width: number; height: number; type: string } | undefined {
  try {
    const { width, height, type = '', orientation = 1 } = imageSize(bytes);
    // From 5 on, the camera lay on its side (EXIF, tag 0x0112).
    return orientation >= 5 ? { width: height, height: width, type } : { width, height, type };
  } catch {
    return undefined;
  }
}

async function unpacks(file: ContentFile): Promise<boolean> {
  const sharp = await loadSharp();
  try {
    await sharp(file.bytes(), { limitInputPixels: mostPixels }).resize(8).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

function shortHash(bytes: Buffer, encoder: string): string {
  return createHash('sha256').update(bytes).update(encoder).digest('hex').slice(0, 10);
}

/** What in an SVG would run, or load from elsewhere; references within the file are fine. */
function activePart(svg: string): string | undefined {
  const active =
    /<(?:\w+:)?(?:script|foreignObject)|<!ENTITY|<!DOCTYPE|<\?xml-stylesheet|@import|javascript:|\son[a-z]+\s*=|(?:href|src)\s*=\s*["'](?!#)[^"']*|url\(\s*["']?(?!["'#])[^)]*/i;
  // In another encoding than UTF-8, none of these would be recognised.
  if (svg.includes('\0')) return 'another encoding than UTF-8';
  return active.exec(svg)?.[0].trim();
}

function publishedName(path: string): string {
  const name = basename(path, extname(path)).toLowerCase();
  return name.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'picture';
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('ru')} КБ`;

/** Where a picture is asked for. */
type Place = { file: string; line(): number; field: string };

/** Finds the pictures that content names, and collects what is wrong with them. */
export type PictureFinder = {
  /**
   * @param alt what it shows; without it, the place is one for a drawing alone, which says nothing more than the text
   * @returns `undefined` if there is a problem, which is kept
   */
  find(place: Place, src: string, alt?: string): Illustration | undefined;
  problems: readonly Problem[];
};

export function pictureFinder(pictures: Pictures): PictureFinder {
  const problems: Problem[] = [];

  function find(place: Place, src: string, alt?: string): Illustration | undefined {
    const name = decoded(src) ?? src;
    const report = (message: string) =>
      void problems.push({ ...place, line: place.line(), message: `Картинка ${guillemets(name)}: ${message}` });
    if (alt?.trim() === '') report('не сказано, что на ней. Впишите это в квадратные скобки: ![Короба на паллете](…).');
    const path = posix.join(posix.dirname(place.file), name);
    const picture = src.startsWith('/') ? undefined : pictures.get(path);
    if (picture === undefined) return report(whyMissing(src, path, alt === undefined));
    if ('message' in picture) return report(lowered(picture.message));
    if (!isWideEnough(picture)) {
      return report(`в ширину точек ${picture.width}, а нужно не меньше ${columnWidth}. Возьмите снимок крупнее.`);
    }
    return illustration(picture, alt ?? '');
  }

  function whyMissing(src: string, path: string, drawing: boolean): string {
    if (/^(https?:)?\/\//.test(src)) return 'она с другого сайта. Скачайте её и положите рядом с этим файлом.';
    const near = nearestName(
      path,
      [...pictures.keys()].filter((name) => !drawing || /\.svg$/i.test(name)),
    );
    const meant = near === undefined ? '' : ` Есть похожая: ${posix.relative(posix.dirname(path), near)}.`;
    const remedy = `Положите сюда ${drawing ? 'рисунок svg' : 'png, jpg, webp или svg'}.`;
    return `рядом с этим файлом такой нет, или этого вида сайт не показывает. ${remedy}${meant}`;
  }

  return { find, problems };
}

const isWideEnough = ({ drawing, width }: PictureFile) => drawing || width >= columnWidth;

export function fitPictures(pictures: Pictures): PictureFile[] {
  return [...pictures.values()].filter((picture): picture is PictureFile => 'file' in picture && isWideEnough(picture));
}

const lowered = (sentence: string) => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;

function illustration(picture: PictureFile, alt: string): Illustration {
  const { width, height, drawing } = picture;
  if (drawing) return { alt, width, height, src: drawingPath(picture) };
  const all = photoSizes(picture);
  const srcset = (wanted: PhotoSize['format']) =>
    all.flatMap(({ path, width, format }) => (format === wanted ? [`${path} ${width}w`] : [])).join(', ');
  const src = all.findLast(({ width, format }) => format === 'webp' && width <= columnWidth)?.path ?? '';
  return { alt, width, height, src, srcset: { avif: srcset('avif'), webp: srcset('webp') } };
}

export function drawingPath({ name, hash }: PictureFile): string {
  return `/pictures/${name}.${hash}.svg`;
}

/** Every file that is published of a photograph; none is wider than the photograph itself. */
export function photoSizes(source: PictureFile): PhotoSize[] {
  const fitting = widths.filter((width) => width <= source.width);
  return (['avif', 'webp'] as const).flatMap((format) =>
    fitting.map((width) => ({
      path: `/pictures/${source.name}-${width}.${source.hash}.${format}`,
      width,
      format,
      file: source.file,
    })),
  );
}

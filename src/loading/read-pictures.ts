import { basename, extname, posix } from 'node:path';
import { imageSize } from 'image-size';
import type { Cache } from '../lib/cache.ts';
import { decoded } from '../lib/decoded.ts';
import { type Hash, keyOf } from '../lib/hash.ts';
import { loadSharp } from '../lib/sharp.ts';
import { slugOf } from '../lib/slug.ts';
import { composed } from '../lib/tidy.ts';
import type { Illustration } from '../model/illustration.ts';
import type { ContentFile, ContentFiles } from './content-files.ts';
import { lineAt } from './file-text.ts';
import { nearestName } from './nearest-name.ts';
import { guillemets, type Problem } from './problem.ts';

/** Pixels: 0.5, 1, 1.5 and 2 times the text column; the larger ones are for dense screens. */
export const widths = [336, 672, 1008, 1344] as const;

/** Pixels; narrower photographs would be enlarged. */
const columnWidth = 672;

/** sharp options. Twice the effort takes five times as long and saves 5 %. */
export const encodings = { avif: { quality: 55, effort: 2 }, webp: { quality: 80, effort: 5 } } as const;

/** Bytes accepted; drawings are published unchanged, photographs re-encoded. */
const heaviest = { drawing: 64 * 1024, photograph: 16 * 1024 * 1024 };

/** Pixels: no phone takes more, and a small file could unpack to fill the memory. */
export const maxPixels = 64_000_000;

export const pictureFile = /\.(png|jpe?g|webp|svg)$/i;

export type PictureFile = {
  /** Lower-case Latin letters, digits and hyphens. */
  name: string;
  file: Hash;
  /** Pixels, after EXIF rotation. */
  width: number;
  height: number;
  /** Extension, such as `.jpg`. */
  ending: string;
  /** An SVG, published unchanged. */
  drawing: boolean;
  /** Also depends on the encoding settings. */
  hash: string;
};

export type Unfit = Pick<Problem, 'message'> & Partial<Pick<Problem, 'line'>>;

/** Keyed by path in the content folder. The key is in NFC like the texts; the name in the file system may not be. */
export type Pictures = ReadonlyMap<string, PictureFile | Unfit>;

export type PhotoSize = { path: string; width: number; format: keyof typeof encodings; file: Hash };

/** Reads only headers, enough for content that passed `examinePictures`. */
export function readPictures(files: ContentFiles, cache: Cache): Pictures {
  const paths = [...files].filter(([path]) => pictureFile.test(path));
  return new Map(
    paths.map(([path, file]) => [composed(path), cache.get(`picture ${path} ${file.hash}`, () => examine(path, file))]),
  );
}

/** Decodes each picture, because truncated files have valid headers. One at a time to save memory. */
export async function examinePictures(files: ContentFiles, cache: Cache): Promise<Pictures> {
  const pictures = new Map(readPictures(files, cache));
  for (const [path, file] of files) {
    const picture = pictures.get(composed(path));
    if (picture && 'file' in picture && !(await unpacks(file))) pictures.set(composed(path), damaged(path));
  }
  return pictures;
}

function damaged(path: string): Unfit {
  const formats = /\.svg$/i.test(path) ? '«обычный SVG»' : 'JPEG или PNG';
  return {
    message: `Файл испорчен, или внутри не то, что говорит его имя. Откройте картинку и сохраните заново как ${formats}.`,
  };
}

function examine(path: string, file: ContentFile): PictureFile | Unfit {
  const bytes = file.bytes();
  const ending = extname(path).toLowerCase();
  const drawing = ending === '.svg';
  if (drawing && bytes.length > heaviest.drawing) {
    return { message: 'Рисунок больше 64 КБ. Упростите его.' };
  }
  if (bytes.length > heaviest.photograph) {
    return { message: 'Снимок больше 16 МБ. Уменьшите его до 2 000 точек в ширину.' };
  }
  const active = drawing ? activePart(bytes.toString()) : undefined;
  if (active !== undefined) {
    const [text, line] = active;
    const remedy = 'Сохраните его как «обычный SVG».';
    return { message: `В рисунке есть ${guillemets(text)}: он что-то запускает или загружает. ${remedy}`, line };
  }
  const size = sizeOf(bytes);
  if (size === undefined || `.${size.type}` !== ending.replace('jpeg', 'jpg')) return damaged(path);
  if (size.width * size.height > maxPixels) {
    return { message: `В снимке больше ${maxPixels / 1e6} мегапикселей. Уменьшите его до 2 000 точек в ширину.` };
  }
  const { width, height } = size;
  const hash = (drawing ? file.hash : keyOf(file.hash, encodings, widths)).slice(0, 10);
  return {
    name: slugOf(basename(path, extname(path))) || 'picture',
    file: file.hash,
    width,
    height,
    ending,
    drawing,
    hash,
  };
}

/** After EXIF rotation. @returns `undefined` if it is not a picture */
function sizeOf(bytes: Buffer): { width: number; height: number; type: string } | undefined {
  try {
    const { width, height, type = '', orientation = 1 } = imageSize(bytes);
    // From 5 on, the camera was on its side (EXIF tag 0x0112).
    return orientation >= 5 ? { width: height, height: width, type } : { width, height, type };
  } catch {
    return undefined;
  }
}

async function unpacks(file: ContentFile): Promise<boolean> {
  const sharp = await loadSharp();
  const bytes = file.bytes();
  try {
    await sharp(bytes, { limitInputPixels: maxPixels }).resize(8).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Finds scripts and external resources; references within the SVG are fine. */
function activePart(svg: string): [text: string, line: number] | undefined {
  const active =
    /<(?:\w+:)?(?:script|foreignObject)|<!ENTITY|<!DOCTYPE|<\?xml-stylesheet|@import|javascript:|\son[a-z]+\s*=|(?:href|src)\s*=\s*["'](?!#)[^"']*|url\(\s*["']?(?!["'#])[^)]*/i;
  // In other encodings the pattern would match nothing.
  if (svg.includes('\0')) return ['another encoding than UTF-8', 1];
  const found = active.exec(svg);
  return found ? [found[0].trim(), lineAt(svg, found.index)] : undefined;
}

const isWideEnough = ({ drawing, width }: PictureFile) => drawing || width >= columnWidth;

export function fitPictures(pictures: Pictures): PictureFile[] {
  return [...pictures.values()].filter((picture): picture is PictureFile => 'file' in picture && isWideEnough(picture));
}

const pathOf = (file: string, src: string) => composed(posix.join(posix.dirname(file), decoded(src) ?? src));

/**
 * @param src relative to the file
 * @returns `undefined` if `pictureProblem` reports one
 */
export function illustrationOf(pictures: Pictures, file: string, src: string, alt = ''): Illustration | undefined {
  const picture = pictures.get(pathOf(file, src));
  if (picture === undefined || 'message' in picture) return undefined;
  const { width, height, drawing } = picture;
  if (drawing) return { alt, width, height, src: drawingPath(picture) };
  const all = photoSizes(picture);
  const srcset = (wanted: PhotoSize['format']) =>
    all.flatMap(({ path, width, format }) => (format === wanted ? [`${path} ${width}w`] : [])).join(', ');
  const plain = all.findLast(({ width, format }) => format === 'webp' && width <= columnWidth)?.path ?? '';
  return { alt, width, height, src: plain, srcset: { avif: srcset('avif'), webp: srcset('webp') } };
}

/** In Russian. @param ending the only extension allowed */
export function pictureProblem(pictures: Pictures, file: string, src: string, ending = ''): string | undefined {
  const path = pathOf(file, src);
  const picture = pictures.get(path);
  if (picture && 'message' in picture) return picture.message;
  if (picture && isWideEnough(picture)) return undefined;
  if (picture) return `В ширину точек ${picture.width}, а нужно не меньше ${columnWidth}. Возьмите снимок крупнее.`;
  if (/^(https?:)?\/\//.test(src)) return 'Она с другого сайта. Скачайте её и положите рядом с этим файлом.';
  const near = nearestName(
    path,
    [...pictures.keys()].filter((name) => name.endsWith(ending)),
  );
  const meant = near === undefined ? '' : ` Есть похожая: ${posix.relative(posix.dirname(path), near)}.`;
  return `Рядом с этим файлом такой нет. Положите сюда ${ending || 'png, jpg, webp или svg'}.${meant}`;
}

export function drawingPath({ name, hash }: PictureFile): string {
  return `/pictures/${name}.${hash}.svg`;
}

/** Never enlarges. */
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

import { basename, extname, posix } from 'node:path';
import { imageSize } from 'image-size';
import type { Cache } from '../lib/cache.ts';
import { decoded } from '../lib/decoded.ts';
import type { FilePart } from '../lib/file-parts.ts';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import { loadSharp } from '../lib/sharp.ts';
import { slugOf } from '../lib/slug.ts';
import { composed } from '../lib/tidy.ts';
import type { Illustration } from '../model/illustration.ts';
import { cleanDrawing, firstLine } from './clean-drawing.ts';
import type { ContentFile, ContentFiles } from './content-files.ts';
import { nearestName } from './nearest-name.ts';
import { photoParts } from './photo-parts.ts';
import type { Unfit } from './problem.ts';
import { unreadReason } from './unread-files.ts';

/** Pixels: 0.5, 1, 1.5 and 2 times the text column; the larger ones are for dense screens. */
export const widths = [336, 672, 1008, 1344] as const;

/** Pixels; narrower photographs would be enlarged. */
const columnWidth = 672;

/** sharp options. Twice the effort takes five times as long and saves 5 %. */
export const encodings = { avif: { quality: 55, effort: 2 }, webp: { quality: 80, effort: 5 } } as const;

/** Bytes. */
const maxPhoto = 16 * 1024 * 1024;

/** Pixels: no phone takes more, and a small file could unpack to fill the memory. */
export const maxPixels = 64_000_000;

const formats = 'png, jpg, webp, gif, avif или svg';
export const pictureFile = /\.(png|jpe?g|webp|gif|avif|svg)$/i;

export type PictureFile = {
  /** Lower-case Latin letters, digits and hyphens. */
  name: string;
  file: Hash;
  /** Pixels, as it is shown upright. */
  width: number;
  height: number;
  /** Of what is published. */
  hash: string;
  /** The SVG that is published; `undefined` for photographs, which are encoded. */
  drawing?: Buffer;
  /** What visitors may get of a photograph before it is encoded, if anything. */
  parts?: readonly FilePart[];
};

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
    const unfit = picture && 'file' in picture ? await decodingProblem(picture.drawing ?? file.bytes()) : undefined;
    if (unfit) pictures.set(composed(path), unfit);
  }
  return pictures;
}

const damaged: Unfit = {
  message:
    'Файл испорчен, или внутри не то, что говорит его имя. Откройте картинку и сохраните заново как JPEG или PNG.',
};

const animated: Unfit = {
  message:
    'Картинка движется, а сайт показывает неподвижные. Сохраните один кадр как PNG или JPEG, а движение - как видео (mp4).',
};

function examine(path: string, file: ContentFile): PictureFile | Unfit {
  const bytes = file.bytes();
  const name = slugOf(basename(path, extname(path))) || 'picture';
  return extname(path).toLowerCase() === '.svg'
    ? examineDrawing({ name, file: file.hash }, bytes)
    : examinePhoto({ name, file: file.hash }, bytes, extname(path));
}

function examineDrawing(named: Pick<PictureFile, 'name' | 'file'>, bytes: Buffer): PictureFile | Unfit {
  const drawing = cleanDrawing(bytes);
  if ('message' in drawing) return drawing;
  const size = sizeOf(drawing);
  if (size === undefined) {
    const message = 'У <svg> нет ни viewBox, ни width и height. Добавьте, например: viewBox="0 0 300 200".';
    return { message, line: firstLine(bytes) };
  }
  const { width, height } = size;
  return { ...named, width, height, drawing, hash: hashOf(drawing).slice(0, 10) };
}

function examinePhoto(named: Pick<PictureFile, 'name' | 'file'>, bytes: Buffer, ending: string): PictureFile | Unfit {
  if (bytes.length > maxPhoto) return { message: 'Снимок больше 16 МБ. Уменьшите его до 2 000 точек в ширину.' };
  const size = sizeOf(bytes);
  const photo = size && photoParts(bytes, size.type);
  if (!photo || `.${size.type}` !== ending.toLowerCase().replace('jpeg', 'jpg')) {
    const brand = /^ftyp(he[iv]|mif1)/.test(bytes.toString('latin1', 4, 12)) ? '.heic' : '';
    return { message: unreadReason(brand) ?? damaged.message };
  }
  if (photo.animated) return animated;
  if (size.width * size.height > maxPixels) {
    return { message: `В снимке больше ${maxPixels / 1e6} мегапикселей. Уменьшите его до 2 000 точек в ширину.` };
  }
  const [width, height] = photo.turned ? [size.height, size.width] : [size.width, size.height];
  const hash = keyOf(named.file, encodings, widths).slice(0, 10);
  return { ...named, width, height, hash, ...(photo.parts && { parts: photo.parts }) };
}

/** As stored. @returns `undefined` if it is not a picture */
function sizeOf(bytes: Buffer): { width: number; height: number; type: string } | undefined {
  try {
    const { width, height, type = '' } = imageSize(bytes);
    return { width, height, type };
  } catch {
    return undefined;
  }
}

async function decodingProblem(bytes: Buffer): Promise<Unfit | undefined> {
  const sharp = await loadSharp();
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels });
    const { pages = 1 } = await picture.metadata();
    await picture.resize(8).raw().toBuffer();
    return pages > 1 ? animated : undefined;
  } catch {
    return damaged;
  }
}

const isWideEnough = ({ drawing, width }: PictureFile) => drawing !== undefined || width >= columnWidth;

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
export function pictureProblem(
  { files, pictures }: { files: ContentFiles; pictures: Pictures },
  file: string,
  src: string,
  ending = '',
): string | undefined {
  const path = pathOf(file, src);
  const picture = pictures.get(path);
  if (picture && 'message' in picture) return picture.message;
  if (picture && isWideEnough(picture)) return undefined;
  if (picture) return `В ширину точек ${picture.width}, а нужно не меньше ${columnWidth}. Возьмите снимок крупнее.`;
  if (/^(https?:)?\/\//.test(src)) return 'Она с другого сайта. Скачайте её и положите рядом с этим файлом.';
  if ([...files.keys()].some((name) => composed(name) === path)) {
    // Otherwise the check reports the file.
    return unreadReason(path) ? undefined : `Это не картинка. Сюда нужен ${formats}.`;
  }
  const near = nearestName(
    path,
    [...pictures.keys()].filter((name) => name.endsWith(ending)),
  );
  const meant = near === undefined ? '' : ` Есть похожая: ${posix.relative(posix.dirname(path), near)}.`;
  return `Рядом с этим файлом такой нет. Положите сюда ${ending || formats}.${meant}`;
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

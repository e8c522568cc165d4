import type { z } from 'zod';
import type { Illustration } from '../model/illustration.ts';
import type { picture } from '../model/schema.ts';
import type { PictureFinder } from './pictures.ts';
import type { Source } from './source.ts';

/** A picture as front matter names it. */
type Named = z.output<typeof picture>;

/** The same with the picture that its front matter names; one that cannot be shown is reported. */
export function illustrated<T extends { picture?: Named | undefined }>(
  source: Source<unknown>,
  { picture, ...others }: T,
  pictures: PictureFinder,
): Omit<T, 'picture'> & { picture?: Illustration } {
  const found = picture && find(source, ['picture'], picture, pictures);
  return { ...others, ...(found && { picture: found }) };
}

/** A video with the frame that stands for it, if its front matter names one. */
export function withStill<T extends { still?: Named | undefined }>(
  source: Source<unknown>,
  { still, ...video }: T,
  pictures: PictureFinder,
): Omit<T, 'still'> & { still?: Illustration } {
  const found = still && find(source, ['video', 'still'], still, pictures);
  return { ...video, ...(found && { still: found }) };
}

function find(
  source: Source<unknown>,
  path: readonly string[],
  { src, alt }: Named,
  pictures: PictureFinder,
): Illustration | undefined {
  const place = { file: source.file, line: source.lineOf([...path, 'src']), field: path.join('.') };
  return pictures.find(place, src, alt);
}

import { loadSharp } from '../lib/sharp.ts';
import { encodings, mostPixels } from '../reading/pictures.ts';
import type { PhotoRecipe } from './resource.ts';

/**
 * A photograph in one width and format: turned as the camera says, in the colours
 * of the web, and without what else the camera has written down, such as the place.
 */
export async function encodePicture({ width, format }: PhotoRecipe, photograph: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  const resized = sharp(photograph, { limitInputPixels: mostPixels }).autoOrient().resize({ width });
  return resized.toFormat(format, encodings[format]).toBuffer();
}

import { encodings, mostPixels, type Variant } from '../site/pictures.ts';

/**
 * A photograph in one width and format: turned as the camera says, in the colours
 * of the web, and without what else the camera has written down, such as the place.
 */
export async function encodePicture({ source, width, format }: Variant): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const resized = sharp(source.bytes, { limitInputPixels: mostPixels }).autoOrient().resize({ width });
  return resized.toFormat(format, encodings[format]).toBuffer();
}

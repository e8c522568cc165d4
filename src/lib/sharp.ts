import { paths } from './paths.ts';

/** Without system fonts, text in drawings is the same on every machine. */
export async function loadSharp() {
  process.env.FONTCONFIG_FILE = paths.noFonts;
  return (await import('sharp')).default;
}

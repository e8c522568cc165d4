import { paths } from './paths.ts';

/** Loaded on demand, and without fonts, so that text in drawings is the same on every machine. */
export async function loadSharp() {
  process.env.FONTCONFIG_FILE = paths.noFonts;
  return (await import('sharp')).default;
}

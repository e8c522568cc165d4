import { paths } from './paths.ts';

/**
 * The encoder of pictures, loaded only where one is made or examined. It is told of no fonts: words in a drawing would
 * otherwise look as the machine has it, which complains where it has none.
 */
export async function loadSharp() {
  process.env.FONTCONFIG_FILE = paths.noFonts;
  return (await import('sharp')).default;
}

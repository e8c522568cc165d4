import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

// node scripts/display-face.ts   cuts the display face to what headings may hold, into public/fonts/

/**
 * Every character that a heading may hold: Russian, basic Latin, digits, punctuation, and
 * the signs of money, measure and number. A test knows every heading of the site by it.
 */
export const characters = [
  'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  ' \u00A0.,:;!?…·-–—−+×=/\\|()[]«»„“”"\'’*@#&_~',
  '₽$€%‰№§°²³±≈≤≥→←',
].join('');

const fontFolder = join(import.meta.dirname, '..', 'public', 'fonts');
export const fontFile = join(fontFolder, 'golos-text-700.woff2');

/** The face with these characters alone, in the form that browsers load. Kerning and equally wide digits stay. */
export function cutFont(): Promise<Buffer> {
  return subsetFont(readFileSync(source('700Bold/GolosText_700Bold.ttf')), characters, {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    noLayoutClosure: true,
  });
}

function source(file: string): string {
  const entry = createRequire(import.meta.url).resolve('@expo-google-fonts/golos-text/package.json');
  return join(dirname(entry), file);
}

if (import.meta.main) {
  mkdirSync(fontFolder, { recursive: true });
  const bytes = await cutFont();
  writeFileSync(fontFile, bytes);
  writeFileSync(join(fontFolder, 'golos-text-licence.txt'), readFileSync(source('LICENSE_FONT')));
  process.stderr.write(`golos-text-700.woff2 ${bytes.length} bytes\n`);
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';

// npm run display-face: subsets the display face into public/fonts/

/** A test checks the headings of all pages against it. */
export const displayCharacters = [
  'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  ' \u00A0.,:;!?…·-–—−+×=/\\|()[]«»„“”"\'’*@#&_~',
  '₽$€%‰№§°²³±≈≤≥→←',
].join('');

const root = join(import.meta.dirname, '..');
const family = join(root, 'node_modules/@expo-google-fonts/golos-text');
const fontFolder = join(root, 'public/fonts');
export const fontFile = join(fontFolder, 'golos-text-700.woff2');

/** Keeps kerning and tabular figures. */
export function cutFont(): Promise<Buffer> {
  return subsetFont(readFileSync(join(family, '700Bold/GolosText_700Bold.ttf')), displayCharacters, {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    noLayoutClosure: true,
  });
}

if (import.meta.main) {
  mkdirSync(fontFolder, { recursive: true });
  const bytes = await cutFont();
  writeFileSync(fontFile, bytes);
  writeFileSync(join(fontFolder, 'golos-text-licence.txt'), readFileSync(join(family, 'LICENSE_FONT')));
  process.stderr.write(`golos-text-700.woff2 ${bytes.length} bytes\n`);
}

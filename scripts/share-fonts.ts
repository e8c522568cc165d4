import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { paths } from '../src/lib/paths.ts';

const family = join(import.meta.dirname, '../node_modules/@expo-google-fonts/golos-text');

const sources = { 500: '500Medium/GolosText_500Medium.ttf', 700: '700Bold/GolosText_700Bold.ttf' } as const;

/** Ranges of characters. */
const alphabet: readonly (readonly [string, string])[] = [
  [' ', '~'],
  ['\u00A0', '\u017F'],
  ['\u0400', '\u045F'],
  ['\u0490', '\u0491'],
  ['\u2010', '\u2026'],
  ['\u20BD', '\u20BD'],
  ['\u2116', '\u2116'],
  ['\u2190', '\u2193'],
  ['\u2212', '\u2212'],
];

/** The licence must accompany the fonts. */
export async function cutFonts(dist: string): Promise<void> {
  const text = alphabet.flatMap(([first, last]) => charactersBetween(first, last)).join('');
  for (const weight of [500, 700] as const) {
    const whole = readFileSync(join(family, sources[weight]));
    writeFileSync(paths.font(weight), await subsetFont(whole, text, { targetFormat: 'sfnt' }));
  }
  writeFileSync(paths.noFonts, '<fontconfig/>\n');
  copyFileSync(join(family, 'LICENSE_FONT'), join(dist, 'golos-text-license.txt'));
}

function charactersBetween(first: string, last: string): string[] {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
}

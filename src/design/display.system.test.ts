import { readFileSync, statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import subsetFont from 'subset-font';
import { characters, cutFont, fontFile } from '../../scripts/display-face.ts';
import { all, parseHtml, textOf } from '../testing/html.ts';
import { startTestSite } from '../testing/test-site.ts';

/** Reads the `cmap` table: https://learn.microsoft.com/typography/opentype/spec/cmap */
async function glyphs(font: Buffer): Promise<Set<string>> {
  const sfnt = await subsetFont(font, characters, { targetFormat: 'sfnt' });
  const tables = Array.from({ length: sfnt.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const record = tables.find((at) => sfnt.toString('latin1', at, at + 4) === 'cmap') ?? 0;
  const cmap = sfnt.readUInt32BE(record + 8);
  // harfbuzz writes one format 4 table for all encoding records.
  const table = cmap + sfnt.readUInt32BE(cmap + 8);
  expect(sfnt.readUInt16BE(table)).toBe(4);
  const segments = sfnt.readUInt16BE(table + 6) / 2;
  const found = new Set<string>();
  for (let segment = 0; segment < segments; segment++) {
    const end = sfnt.readUInt16BE(table + 14 + 2 * segment);
    const start = sfnt.readUInt16BE(table + 16 + 2 * (segments + segment));
    for (let code = start; code <= end && code < 0xffff; code++) found.add(String.fromCodePoint(code));
  }
  return found;
}

test('the display face is what the script cuts: at most 14,000 bytes, with a glyph for each of its characters', async () => {
  const font = readFileSync(fontFile);
  expect(font.equals(await cutFont())).toBe(true);
  expect(statSync(fontFile).size).toBeLessThanOrEqual(14_000);
  const found = await glyphs(font);
  expect([...characters].filter((character) => !found.has(character))).toEqual([]);
});

/** Element, class and descendant that `display.css` sets in the display face. */
const figures = [
  ['div', 'facts-main', 'dd'],
  ['dl', 'facts', 'strong'],
  ['p', 'change change-now', 'strong'],
  ['ul', 'services', 'b'],
] as const;

test('every character of every heading and large figure is in the display face', async () => {
  const site = await startTestSite();
  const foreign: string[] = [];
  for (const path of site.served.paths) {
    const document = parseHtml((await site.request(path)).text);
    const set = [
      ...['h1', 'h2', 'h3', 'h4', 'legend'].flatMap((name) => all(document, name)),
      ...all(document, 'div.questions').flatMap((list) => all(list, 'summary')),
      ...all(document, 'a.site-header-logo'),
      ...figures.flatMap(([name, wanted, part]) =>
        all(document, `${name}.${wanted}`).flatMap((figure) => all(figure, part)),
      ),
    ];
    for (const heading of set) {
      const missing = [...textOf(heading)].filter((character) => !characters.includes(character));
      if (missing.length > 0) foreign.push(`${path}: ${missing.join('')} in ${textOf(heading)}`);
    }
  }
  expect(foreign).toEqual([]);
});

test('the display face is kept for ever under an address with its hash, and keeps no page waiting', async () => {
  const site = await startTestSite();
  const { text } = await site.request('/');
  const face = /@font-face\{[^}]*\}/.exec(text)?.[0] ?? '';
  expect(face).toContain('font-display:swap');
  const path = /url\("?([^)"]+)"?\)/.exec(face)?.[1] ?? '';
  expect(path).toMatch(/^\/fonts\/golos-text-700\.[\da-f]{10}\.woff2$/);
  const { status, headers } = await site.request(path);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'font/woff2',
    'public, max-age=31536000, immutable',
  ]);
  for (const page of ['/', '/contact', '/no-such-page']) {
    const { text } = await site.request(page);
    expect(text).toContain(path);
    expect(text).not.toContain('as="font"');
  }
});

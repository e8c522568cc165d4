import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { filesBelow } from '../lib/files.ts';
import { paths } from '../lib/paths.ts';

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const palette = ['paper', 'sheet', 'kraft-pale', 'kraft', 'carton', 'carton-dark', 'line', 'ink', 'ink-soft'].map(
  (name) => new RegExp(`--${name}: (#[\\da-f]{6});`).exec(tokens)?.[1],
);
/** Drawings that are shown large may have more characters. */
const largest: [name: string, length: number][] = [
  ['/way/', 10_000],
  ['map', 5_500],
  ['broadcast', 5_500],
];
const drawings = filesBelow(join(paths.public, 'images')).filter((file) => file.endsWith('.svg'));

describe.each(drawings.map((file) => [file.slice(paths.public.length), file] as const))('%s', (_path, file) => {
  const source = readFileSync(file, 'utf8');

  test('is drawn in paper, carton and ink; green is for what can be pressed', () => {
    const colours = [...source.matchAll(/#[\da-f]{3,8}(?=")/gi)].map(([colour]) => colour);
    expect(colours.filter((colour) => !palette.includes(colour))).toEqual([]);
  });

  test('is a picture of its own size, without words, styles and names that another could have', async () => {
    const { width, height } = await sharp(Buffer.from(source)).metadata();
    expect(source).toContain(`viewBox="0 0 ${width} ${height}"`);
    expect(source).not.toMatch(/<(text|style|image|script|filter)|Gradient| style=/);
    const names = [...source.matchAll(/ id="([^"]*)"/g)].map(([, name]) => name);
    expect(names.filter((name) => !name?.startsWith(`${basename(file, '.svg')}-`))).toEqual([]);
    expect(source.length).toBeLessThanOrEqual(largest.find(([name]) => file.includes(name))?.[1] ?? 2_700);
  });
});

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow } from './lib/files.ts';

/** Every room, and every file beside them; each may use what stands above it, and itself. */
const rooms = [
  ...['lib', 'database', 'store', 'model', 'design', 'document', 'client'],
  ...['departures', 'calculator', 'rates', 'services', 'cases', 'reviews', 'blog', 'news', 'search', 'company'],
  ...['reading', 'routes.ts', 'edition', 'http', 'broadcast'],
  ...['leads/spam', 'leads/store', 'leads/delivery', 'leads/operator', 'leads/form'],
  ...['config.ts', 'app.ts', 'server.ts', 'commands', 'main.ts', 'cli.ts'],
];

const src = import.meta.dirname;
const isTest = /\.test\.|\.contract\.|testing|^faults|^browser-tests|adding-process/;
const files = filesBelow(src)
  .map((path) => relative(src, path))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isTest.test(path));
const imports = new Map(
  files.map((file) => {
    const found = readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+\.tsx?)'/g);
    return [file, [...found].map(([, path = '']) => join(dirname(file), path))];
  }),
);

const roomOf = (file: string) => rooms.findIndex((room) => file === room || file.startsWith(`${room}/`));

test('every file is in a room', () => {
  expect(files.filter((file) => roomOf(file) === -1)).toEqual([]);
});

test('a room uses those above it alone', () => {
  const back = files.flatMap((file) => {
    const used = imports.get(file) ?? [];
    return used.filter((other) => roomOf(other) > roomOf(file)).map((other) => `${file} uses ${other}`);
  });
  expect(back).toEqual([]);
});

test('no files use one another in a circle', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function follow(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' uses '));
    if (path.includes(file) || done.has(file)) return;
    for (const other of imports.get(file) ?? []) follow(other, [...path, file]);
    done.add(file);
  }
  for (const file of files) follow(file, []);
  expect(circles).toEqual([]);
});

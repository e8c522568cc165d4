import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow } from './lib/files.ts';

const src = import.meta.dirname;

/** Rooms of the map in README.md; `.` is this folder. Each may import itself and the rooms above it. */
const map = /^\| room \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(readFileSync(join(src, '../README.md'), 'utf8'))?.[1] ?? '';
const rooms = map
  .split('\n')
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));

const isTest = /\.test\.|testing|^faults|^browser-tests/;
const files = filesBelow(src)
  .map((path) => relative(src, path))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isTest.test(path));
const imports = new Map(
  files.map((file) => {
    const found = readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+\.tsx?)'/g);
    return [file, [...found].map(([, path = '']) => join(dirname(file), path))];
  }),
);

const roomOf = (file: string) =>
  rooms.findIndex((room) => file === room || file.startsWith(`${room}/`) || (room === '.' && !file.includes('/')));

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

import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow } from '../lib/files.ts';

const src = join(import.meta.dirname, '..');

/** The first column of the folder table in README.md; `.` is `src` itself. */
const [, rows = ''] =
  /^\| folder \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(readFileSync(join(src, '../README.md'), 'utf8')) ?? [];
const folders = rows
  .split('\n')
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));

const written = filesBelow(src)
  .map((path) => relative(src, path))
  .filter((path) => !path.startsWith('content/'));
const files = written.filter((path) => /(?<!\.d|\.test)\.tsx?$/.test(path) && !path.startsWith('tests/'));
const imports = new Map(
  files.map((file) => {
    const found = readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+\.tsx?)'/g);
    return [file, [...found].map(([, path = '']) => join(dirname(file), path))];
  }),
);

const folderOf = (file: string) =>
  folders.findIndex((name) => file === name || file.startsWith(`${name}/`) || (name === '.' && !file.includes('/')));

test('every file is in a folder of the table', () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => folderOf(file) === -1)).toEqual([]);
});

test('a folder imports only from itself, from folders above it and from folders to its left', () => {
  const violations = files.flatMap((file) => {
    const used = imports.get(file) ?? [];
    return used.filter((other) => folderOf(other) > folderOf(file)).map((other) => `${file} imports ${other}`);
  });
  expect(violations).toEqual([]);
});

test('imports have no cycles', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' imports '));
    if (path.includes(file) || done.has(file)) return;
    for (const other of imports.get(file) ?? []) visit(other, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('a file name is unique', () => {
  const names = written
    .map((file) => basename(file))
    .filter((name) => name !== 'README.md' && name !== 'tsconfig.json');
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

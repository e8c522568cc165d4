import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { channelTypes } from '../leads/channels/configured.ts';
import { filesBelow } from '../lib/files.ts';
import { pagedKindNames, postKinds } from '../model/post-kinds.ts';
import { routes } from '../routes.ts';

/* Code that nothing uses still compiles, and no other quick test detects it. */

const src = join(import.meta.dirname, '..');
const texts = new Map(
  filesBelow(src)
    .map((path) => relative(src, path))
    .filter((file) => /\.tsx?$/.test(file) && !/^(?:content|tests)\//.test(file))
    .map((file) => [file, readFileSync(join(src, file), 'utf8')]),
);
const filesWhere = (is: (file: string) => boolean) => [...texts.keys()].filter(is);
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
/** Returns the given files that none of the others imports. */
const unimported = (files: readonly string[], by: readonly string[]) =>
  files.filter((file) => !by.some((other) => other !== file && texts.get(other)?.includes(`/${basename(file)}'`)));

test('every page has a row in the route table, or a router that shows it', () => {
  const pages = filesWhere((file) => file.endsWith('.page.tsx'));
  const shown = filesWhere((file) => file === 'routes.ts' || /^(?:http|leads|publishing)\/.*\.tsx?$/.test(file));
  expect(pages.length).toBeGreaterThan(20);
  expect(
    unimported(
      pages,
      shown.filter((file) => !isTest(file)),
    ),
  ).toEqual([]);
});

describe('client modules', () => {
  const [, rows = ''] = /const modules = \{\n([\s\S]*?)\n\} satisfies/.exec(texts.get('client/entry.ts') ?? '') ?? [];
  const modules = [...rows.matchAll(/^ {2}'?([\w-]+)'?[:,]/gm)].map(([, name]) => name);
  const named = filesWhere((file) => file.endsWith('.tsx') && !isTest(file)).flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(/data-module'?(?:=|: )("[^"]*"|\{[^}]*\}|'[^']*')/g)].flatMap(
      ([, value = '']) => [...value.matchAll(/['"]([^'"]+)['"]/g)].map(([, name]) => name),
    ),
  );

  test('are each used by an element, and every element names an existing module', () => {
    expect(modules.length).toBeGreaterThan(8);
    expect([...new Set(named)].toSorted()).toEqual(modules.toSorted());
  });
});

test('every kind of post has a list page, and a route for its address', () => {
  const lists = Object.values(postKinds).map(({ list }) => list.to);
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(lists));
  const known = pagedKindNames.map((kind) => postKinds[kind].address);
  const patterns = routes.map(({ path }) => path.replaceAll(/:\w+/g, '*'));
  expect(patterns).toEqual(expect.arrayContaining(known));
});

test('parts of pages have different ids, so that one page can have any of them', () => {
  const ids = filesWhere((file) => /(?<!\.page)\.tsx$/.test(file) && !isTest(file)).flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(/ id="([\w-]+)"/g)].map(([, id = '']) => ({ id, file })),
  );
  expect(ids.length).toBeGreaterThan(3);
  const shared = [...Map.groupBy(ids, ({ id }) => id)].map(
    ([id, all]) => [id, new Set(all.map(({ file }) => file))] as const,
  );
  expect(shared.filter(([, files]) => files.size > 1)).toEqual([]);
});

test('every channel has a test that imports it', () => {
  const files = filesWhere(
    (file) => /^leads\/channels\//.test(file) && !isTest(file) && /= defineChannel\(/.test(texts.get(file) ?? ''),
  );
  expect(files).toHaveLength(channelTypes.length);
  expect(
    unimported(
      files,
      filesWhere((file) => isTest(file) && file.startsWith('leads/channels/')),
    ),
  ).toEqual([]);
});

import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Hash, hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { type ContentFile, type ContentFiles, readFolder } from '../reading/content-files.ts';
import { openEditionStore } from '../store/store.ts';
import { fileIn } from '../testing/content.ts';
import { editionOf } from '../testing/test-site.ts';
import { makeDictionary, packWith } from './dictionary.ts';
import { type EditionIndex, isPage } from './edition-index.ts';
import { polish, unpolished } from './polish.ts';
import { openShipped } from './stores.ts';

/** In the middle of a month, so that a day more is in the same one. */
const at = new Date('2026-11-17T12:00:00+03:00');
const files = readFolder(paths.content);

/** The content with one file changed. */
function edited(name: string, change: (text: string) => string): ContentFiles {
  const text = String(files.get(name)?.bytes());
  expect(change(text)).not.toBe(text);
  return withFile(name, change(text));
}

function withFile(name: string, text: string): ContentFiles {
  const bytes = Buffer.from(text);
  const file: [string, ContentFile] = [name, { hash: hashOf(bytes), bytes: () => bytes }];
  return new Map([...files, file].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('the dictionary of an edition', () => {
  let before: EditionIndex;
  beforeAll(async () => {
    before = (await editionOf({ files, at })).index;
  }, 60_000);
  const dictionaryAfter = async (changed: ContentFiles, moment = at) =>
    (await editionOf({ files: changed, at: moment })).index.dictionary;

  test('is named by its hash, and may be kept for ever', async () => {
    const edition = await editionOf({ files, at });
    const { path, sha256, hash } = edition.dictionary;
    const answer = edition.find(path)?.answer(new Set(), false);
    expect(
      createHash('sha256')
        .update(answer?.body ?? '')
        .digest('base64'),
    ).toBe(sha256);
    expect(path).toBe(`/assets/dictionary.${hash.slice(0, 8)}.dat`);
    const headers = answer?.headers.join('\n');
    expect(headers).toContain('Use-As-Dictionary\nmatch="/*", match-dest=("document")');
    expect(headers).toContain('Cache-Control\npublic, max-age=31536000, immutable');
    expect(answer?.body.length).toBeLessThanOrEqual(512 * 1024);
  });

  test('is the same for the same content, made from nothing', async () => {
    const store = openEditionStore(':memory:', { for: 'make' });
    const { index } = await editionOf({ files, at, store });
    expect(index.dictionary).toEqual(before.dictionary);
  }, 60_000);

  test.each([
    [
      'a price',
      () =>
        edited('rates.yaml', (text) =>
          text.replace(/(?<=-fbs-handover\n.*\n.*\n.*price: )\d+(?= \}\])/, (price) => String(Number(price) + 40)),
        ),
    ],
    ['a price list', () => edited('rates.yaml', (text) => text.replace(/^effective: .*$/m, 'effective: 2026-11-16'))],
    ['an article', () => edited(fileIn('blog/articles'), (text) => `${text}\nЕщё один абзац.\n`)],
    ['a case', () => edited(fileIn('cases'), (text) => `${text}\nЕщё один абзац.\n`)],
    [
      'a new article',
      () => {
        const text = String(files.get(fileIn('blog/articles'))?.bytes());
        const [, id = ''] = /^id: (\d+)$/m.exec(text) ?? [];
        const changed = text
          .replace(`id: ${id}`, 'id: 9999')
          .replace(/^published: .*$/m, 'published: 2026-11-16')
          .replace(/^heading: .*$/m, 'heading: Совсем новая статья');
        return withFile('blog/articles/sovsem-novaya.md', changed);
      },
    ],
  ])('stays as it is after %s', async (_name, change) => {
    expect(await dictionaryAfter(change())).toEqual(before.dictionary);
  });

  test('stays as it is on the next day', async () => {
    const tomorrow = new Date(at.getTime() + 24 * 3_600_000);
    const { index } = await editionOf({ files, at: tomorrow });
    expect(index.id).not.toBe(before.id);
    expect(index.dictionary).toEqual(before.dictionary);
  });

  test('is another one after a change of what stands on every page', async () => {
    const changed = edited('company.yaml', (text) => text.replace(/^slogan: .*$/m, 'slogan: Свой лозунг'));
    expect(await dictionaryAfter(changed)).not.toEqual(before.dictionary);
  });
});

describe('a dictionary', () => {
  const page = (words: string) => `<main>${[...words].map((word) => `<p>${word}</p>`).join('')}</main>`;

  test('has what pages share once, and nothing that is short', () => {
    const shared = 'абвгдежзиклмн';
    const made = String(makeDictionary([page(shared), page(`${shared}я`)]));
    expect(made.match(/<p>д</g)).toHaveLength(1);
    expect(made).toContain('<p>я</p>');
  });

  test('has zeroes for numbers that visitors read, and for no others', () => {
    const html = '<style>p{top:12px}</style><meta name="d" content="от 12 ₽"><a href="/x12">12,50 ₽</a>';
    expect(String(makeDictionary([html]))).toBe(
      '<style>p{top:12px}</style><meta name="d" content="от 00 ₽"><a href="/x12">00,00 ₽</a>',
    );
  });

  test('ends before the page that would make it too large', () => {
    const large = (word: string) => Array.from({ length: 20_000 }, (_, n) => `<p class="${word}${n}">`).join('');
    expect(makeDictionary([large('a')]).length).toBeGreaterThan(300_000);
    expect(makeDictionary([large('a'), large('b'), large('c')])).toEqual(makeDictionary([large('a')]));
  });

  test('packs a page into a frame that names it', async () => {
    const dictionary = Buffer.from('<p>то, что есть на каждой странице</p>'.repeat(3));
    const sha256 = createHash('sha256').update(dictionary).digest();
    const body = Buffer.from('<p>то, что есть на каждой странице</p><p>и ещё</p>');
    const frame = await packWith(dictionary, sha256.toString('base64'), body);
    expect(frame.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000');
    expect(frame.subarray(8, 40)).toEqual(sha256);
    expect(zstdDecompressSync(frame.subarray(40), { dictionary })).toEqual(body);
  });
});

test('the polish packs every page with it, once, and what was packed goes with the dictionary', async () => {
  const store = openEditionStore(':memory:', { for: 'make' }, openShipped());
  const slogan = edited('company.yaml', (text) => text.replace(/^slogan: .*$/m, 'slogan: Свой лозунг'));
  const { index, entries } = await editionOf({ files: slogan, at, store });
  const { hash: dictionary } = index.dictionary;
  expect(unpolished(index, store).pages.length).toBeGreaterThan(10);
  const pages = entries.filter((entry) => isPage(entry, index)).map(({ hash }) => hash);
  // One body stands for all that are compressed without it, which takes far longer.
  await polish({ ...unpolished(index, store), bodies: pages.slice(0, 1), recipes: [] }, store, () => {});
  expect(unpolished(index, store).pages).toEqual([]);
  const packed = store.hashes(`dcz ${dictionary}`);
  expect(packed).toEqual(new Set(pages));

  const needed = { memos: new Set<Hash>(), roots: new Set<Hash>(), snapshots: new Set<Hash>() };
  store.retain(() => ({ ...needed, blobs: new Set([...pages, dictionary]) }));
  expect(store.hashes(`dcz ${dictionary}`)).toEqual(packed);
  store.retain(() => ({ ...needed, blobs: new Set(pages) }));
  expect(store.hashes(`dcz ${dictionary}`).size).toBe(0);
  expect(store.stored(pages[0] ?? '', ['br'])?.encoding).toBe('br');
}, 120_000);

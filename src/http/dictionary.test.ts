import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { dictionaryLink } from '../edition/dictionary.ts';
import { onDemand } from '../testing/pages.ts';
import { startTestSite } from '../testing/test-site.ts';
import { acceptedEncodings } from './prerendered.ts';

const site = await startTestSite();
const { body: dictionary } = await site.request(site.edition.dictionary.path);

const browser = 'gzip, deflate, br, zstd, dcb, dcz';
const available = () => `:${site.edition.dictionary.sha256}:`;
const get = (path: string, headers: Record<string, string | string[]> = {}, method = 'GET') =>
  site.request(path, { method, headers: { 'accept-encoding': browser, ...headers } });
const withDictionary = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  get(path, { 'available-dictionary': available(), ...headers }, method);

test('its address is found at one that stays, and is kept for an hour', async () => {
  const { status, headers } = await get(dictionaryLink);
  expect([status, headers.location]).toEqual([307, site.edition.dictionary.path]);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect((await get(dictionaryLink, {}, 'POST')).status).toBe(405);
});

test('it comes compressed, and in the only encodings for it', async () => {
  const { headers, body } = await withDictionary(site.edition.dictionary.path);
  expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Accept-Encoding']);
  expect(body.length).toBeLessThan(60 * 1024);
});

describe('a visitor who has the dictionary', () => {
  test('gets every page packed with it', async () => {
    for (const path of site.edition.pages()) {
      const plain = await site.request(path);
      const { headers, body } = await withDictionary(path);
      expect([path, headers['content-encoding'], headers['content-length']]).toEqual([path, 'dcz', `${body.length}`]);
      expect(body.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000');
      expect(body.subarray(8, 40)).toEqual(createHash('sha256').update(dictionary).digest());
      expect([path, zstdDecompressSync(body.subarray(40), { dictionary }).equals(plain.body)]).toEqual([path, true]);
      expect(headers.etag).toBe(plain.headers.etag);
    }
  });

  test('gets only the head for HEAD, and a 304 for what they know', async () => {
    const { headers, body } = await withDictionary('/rates');
    const head = await withDictionary('/rates', {}, 'HEAD');
    expect([head.body.length, head.headers['content-length']]).toEqual([0, String(body.length)]);
    expect(head.headers['content-encoding']).toBe('dcz');
    const known = await withDictionary('/rates', { 'if-none-match': headers.etag ?? '' });
    expect([known.status, known.headers['content-encoding']]).toEqual([304, undefined]);
    expect(known.headers.vary).toBe('Accept-Encoding, Available-Dictionary');
  });

  test.each(['/rates/_payload.json', '/rss.xml', '/favicon.svg', onDemand, '/contact', '/search?q=короб', '/nowhere'])(
    'gets %s as everybody does, because it is no prerendered page',
    async (path) => {
      const { headers } = await withDictionary(encodeURI(path));
      expect(headers['content-encoding']).not.toBe('dcz');
      expect(headers.vary).not.toContain('Available-Dictionary');
    },
  );
});

describe('a page comes without it', () => {
  const other = createHash('sha256').update('another one').digest('base64');

  test.each([
    ['no dictionary', () => undefined],
    ['another one', () => `:${other}:`],
    ['no colons', () => site.edition.dictionary.sha256],
    ['one colon', () => `:${site.edition.dictionary.sha256}`],
    ['hexadecimal digits', () => `:${Buffer.from(site.edition.dictionary.sha256, 'base64').toString('hex')}:`],
    ['two', () => `${available()}, ${available()}`],
    ['two headers', () => [available(), `:${other}:`]],
    ['parameters', () => `${available()};a=1`],
    ['a long header', () => `${available()}${'x'.repeat(4_000)}`],
    ['nothing', () => ''],
  ])('for %s', async (_name, header) => {
    const value = header();
    const { headers } = await get('/rates', value === undefined ? {} : { 'available-dictionary': value });
    expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Accept-Encoding, Available-Dictionary']);
  });

  test.each([
    ['gzip, br', ['br', 'gzip']],
    ['gzip, br, dcb', ['br', 'gzip']],
    ['gzip, br, dcz;q=0', ['br', 'gzip']],
    ['gzip, br, dcz;q=0.9', ['br', 'gzip']],
    ['gzip, br;q=0.5, dcz;q=0.5', ['gzip']],
    ['*', ['br', 'gzip']],
    ['identity, dcz;q=0.5', []],
    ['dcz;q=nonsense', []],
    ['gzip, br, dcz', ['dcz', 'br', 'gzip']],
    ['DCZ, br;q=0.5', ['dcz']],
    ['dcz', ['dcz']],
  ])('or not, for %s', (header, allowed) => {
    expect([...acceptedEncodings(header, true)]).toEqual(allowed);
    // Without the dictionary, the header means the same as without `dcz`.
    const without = header.replace(/,? *dcz[^,]*/i, '');
    expect([...acceptedEncodings(header)]).toEqual([...acceptedEncodings(without)]);
  });
});

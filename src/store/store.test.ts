import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { hashOf } from '../lib/hash.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { DamagedStore, type EditionStore, openEditionStore, openOrReplace, sealStore } from './store.ts';

const text = 'Короба, паллеты и этикетки. '.repeat(200);
const hash = hashOf(text);

function newFile(): string {
  return join(temporaryFolder(), 'editions.sqlite');
}

/** Puts a body the way that editions do: in haste, then well. */
function putBody(store: EditionStore, body: string): string {
  const name = hashOf(body);
  store.putStored(name, { encoding: 'gzip', bytes: gzipSync(body) });
  store.flush();
  return name;
}

/** Flips a bit in the middle of every stored form of a blob. */
function flip(file: string, name: string, encoding?: string): void {
  const connection = new DatabaseSync(file);
  const rows = connection.prepare('SELECT encoding, bytes FROM blob WHERE hash = ?').all(name);
  for (const { encoding: form, bytes } of rows) {
    if (encoding !== undefined && form !== encoding) continue;
    const changed = Uint8Array.from(bytes as Uint8Array);
    const middle = changed.length >> 1;
    changed[middle] = (changed[middle] ?? 0) ^ 1;
    connection.prepare('UPDATE blob SET bytes = ? WHERE hash = ? AND encoding = ?').run(changed, name, String(form));
  }
  connection.close();
}

describe('what is put into a store', () => {
  test('comes back by its hash, whatever form it has by then, and lies there once', () => {
    const file = newFile();
    const store = openEditionStore(file, { for: 'make' });
    expect(store.keep(text)).toBe(hash);
    expect(store.keep(text)).toBe(hash);
    expect(store.bytes(hash)?.toString()).toBe(text);
    store.flush();
    expect([...store.hashes()]).toEqual([hash]);
    while (store.packSome() > 0);
    expect(store.bytes(hash)?.toString()).toBe(text);
    store.close();
    expect(openEditionStore(file, { for: 'serve' }).bytes(hash)?.toString()).toBe(text);
  });

  test('a body is given in the first of the wanted encodings that there is', () => {
    const store = openEditionStore(newFile(), { for: 'make' });
    const body = putBody(store, text);
    expect(store.hasty()).toEqual([body]);
    expect(store.stored(body, ['br', 'gzip', 'identity'])?.encoding).toBe('gzip');
    expect(store.stored(body, ['br', 'identity'])).toBeUndefined();
    store.putStored(body, { encoding: 'br', bytes: brotliCompressSync(text) });
    expect(store.stored(body, ['br', 'gzip', 'identity'])?.encoding).toBe('br');
    expect(store.hasty()).toEqual([]);
    expect(store.bytes(body)?.toString()).toBe(text);
  });

  test('is seen by other connections, which learn that something has changed', () => {
    const file = newFile();
    const [writer, reader] = [openEditionStore(file, { for: 'make' }), openEditionStore(file, { for: 'serve' })];
    const before = reader.version();
    expect(reader.version()).toBe(before);
    writer.publish(writer.keep(text), new Date('2026-11-20T10:00:00Z'));
    expect(reader.version()).not.toBe(before);
    expect(reader.publications()).toEqual([{ number: 1, snapshot: hash, at: '2026-11-20T10:00:00.000Z' }]);
    expect(reader.bytes(hash)?.toString()).toBe(text);
  });

  test('survives a process that is killed, once it was published', () => {
    const file = newFile();
    const writer = openEditionStore(file, { for: 'make' });
    writer.setMemo('key', 'value');
    writer.publish(writer.keep(text), new Date());
    // What a killed process leaves: the files as they are on disk, without a goodbye.
    const copy = newFile();
    for (const ending of ['', '-wal']) writeFileSync(copy + ending, readFileSync(file + ending));
    const found = openEditionStore(copy, { for: 'make' });
    expect([found.memo('key'), found.bytes(hash)?.toString(), found.publications().length]).toEqual(['value', text, 1]);
  });

  test('a file that ships is read in a folder where nothing can be written, and under another store', () => {
    const file = newFile();
    const making = openEditionStore(file, { for: 'make' });
    making.setMemo('key', 'shipped');
    making.publish(making.keep(text), new Date());
    making.close();
    sealStore(file);
    const shipped = openEditionStore(file, { for: 'ship' });
    const own = openEditionStore(newFile(), { for: 'make' }, shipped);
    expect([own.memo('key'), own.bytes(hash)?.toString()]).toEqual(['shipped', text]);
    expect([own.publications(), [...own.ownHashes()], [...own.hashes()]]).toEqual([[], [], [hash]]);
    own.setMemo('key', 'own');
    expect(own.memo('key')).toBe('own');
  });
});

describe('damage', () => {
  test('a body of which a bit has flipped is never given; another form of it is, or what shipped', () => {
    const file = newFile();
    const store = openEditionStore(file, { for: 'make' });
    const body = putBody(store, text);
    store.putStored(body, { encoding: 'br', bytes: brotliCompressSync(text) });
    store.flush();
    flip(file, body, 'br');
    expect(store.stored(body, ['br', 'gzip'])?.encoding).toBe('gzip');
    expect(store.bytes(body)?.toString()).toBe(text);
    flip(file, body, 'gzip');
    expect([store.stored(body, ['br', 'gzip']), store.bytes(body)]).toEqual([undefined, undefined]);
    expect(store.damaged()).toEqual([body]);

    const below = openEditionStore(newFile(), { for: 'make' });
    below.keep(text);
    expect(openEditionStore(file, { for: 'serve' }, below).bytes(body)?.toString()).toBe(text);

    store.drop(store.damaged());
    expect([store.damaged(), store.hashes().has(body)]).toEqual([[], false]);
  });

  test('a memo that has changed counts as none', () => {
    const file = newFile();
    const store = openEditionStore(file, { for: 'make' });
    store.setMemo('price', '{"price":4200}');
    store.close();
    const connection = new DatabaseSync(file);
    connection.exec(`UPDATE memo SET value = '{"price":4201}'`);
    connection.close();
    for (const use of ['make', 'serve'] as const) {
      const again = openEditionStore(file, { for: use });
      expect(again.memo('price')).toBeUndefined();
      expect(again.damaged()).toEqual(['price']);
      again.close();
    }
  });

  test.each([
    ['emptied to half a page', (file: string) => truncateSync(file, 700)],
    ['cut in half', (file: string) => truncateSync(file, statSync(file).size / 2)],
    ['overwritten with something else', (file: string) => writeFileSync(file, 'не база данных '.repeat(1000))],
    [
      'damaged at its head',
      (file: string) => {
        const descriptor = openSync(file, 'r+');
        writeSync(descriptor, Buffer.alloc(100, 7), 0, 100, 0);
        closeSync(descriptor);
      },
    ],
  ])('a file that was %s is put aside, and a new one takes its place', (_, damage) => {
    const file = newFile();
    const store = openEditionStore(file, { for: 'make' });
    for (let number = 0; number < 50; number++) store.keep(`${text} ${number}`);
    store.close();
    damage(file);
    expect(() => openEditionStore(file, { for: 'serve' })).toThrow(DamagedStore);
    const { store: fresh, aside } = openOrReplace(file, { for: 'make' });
    expect([fresh.publications(), fresh.keep(text)]).toEqual([[], hash]);
    expect(statSync(aside ?? '').isFile()).toBe(true);
  });
});

describe('several processes', () => {
  test('a task belongs to one of them, until it is given back or its time is over', () => {
    const file = newFile();
    const [one, other] = [openEditionStore(file, { for: 'serve' }), openEditionStore(file, { for: 'serve' })];
    expect([one.lease('renew', 'a', 50), other.lease('renew', 'b', 50)]).toEqual([true, false]);
    expect([one.lease('renew', 'a', 50), other.lease('polish', 'b', 50)]).toEqual([true, true]);
    one.release('renew', 'a');
    expect(other.lease('renew', 'b', 20)).toBe(true);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
    expect(one.lease('renew', 'a', 50)).toBe(true);
  });

  test('whoever serves does not wait for one that writes', () => {
    const file = newFile();
    const server = openEditionStore(file, { for: 'serve' });
    const writer = openEditionStore(file, { for: 'make' });
    writer.keep(text);
    const begun = performance.now();
    expect(server.lease('renew', 'a', 1000)).toBe(false);
    expect(server.bytes(hash)).toBeUndefined();
    // A process that makes an edition would have waited for 10 seconds.
    expect(performance.now() - begun).toBeLessThan(5_000);
    writer.flush();
    expect(server.lease('renew', 'a', 1000)).toBe(true);
  });
});

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { StoreError } from '../../lib/store-error.ts';
import { fakeLeadStore } from '../../testing/fake-lead-store.ts';
import { followTakeKeys, type KeyRing } from './take-keys.ts';
import { readTakeToken, type TakeKeys, takeToken } from './take-link.ts';

const right = { number: 1, channel: 'mail' };
const second = 1_000;
const lines: string[] = [];
const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
let rings: KeyRing[];
let stored: Map<string, Uint8Array>;
let reads: number;
let failing: boolean;

/** A store that several processes share, as the contract of stores has it. */
const store = fakeLeadStore({
  async takeKeys(days): Promise<TakeKeys> {
    reads += 1;
    if (failing) throw new StoreError('the database does not answer');
    for (const day of days) if (!stored.has(day)) stored.set(day, crypto.getRandomValues(new Uint8Array(32)));
    return new Map(stored);
  },
});

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00Z') });
  [rings, stored, reads, failing] = [[], new Map(), 0, false];
  lines.length = 0;
});

afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(rings.map((ring) => ring.stop()));
});

async function start(): Promise<KeyRing> {
  const ring = await followTakeKeys(store, logger);
  rings.push(ring);
  return ring;
}

const sign = (ring: KeyRing) => takeToken(right, ring.keys(), Date.now());
const read = (ring: KeyRing, token: string) => readTakeToken(token, ring.keys(), Date.now());
const days = () => [...stored.keys()].sort();

describe('keys of links', () => {
  test('are read once a second, whatever is signed and read meanwhile', async () => {
    const ring = await start();
    const before = reads;
    for (let n = 0; n < 100; n++) expect(read(ring, `${sign(ring)}x`)).toBeUndefined();
    expect(reads).toBe(before);
    await jest.advanceTimersByTimeAsync(60 * second);
    expect(reads - before).toBe(60);
    expect(days()).toEqual(['2026-11-20']);
  });

  test('of the next day are known to every process before one signs with them', async () => {
    const [one, other] = [await start(), await start()];
    jest.setSystemTime(Date.parse('2026-11-20T23:49:58Z'));
    await jest.advanceTimersByTimeAsync(second);
    expect(days()).toEqual(['2026-11-20']);
    await jest.advanceTimersByTimeAsync(second);
    expect(days()).toEqual(['2026-11-20', '2026-11-21']);
    await jest.advanceTimersByTimeAsync(second);
    const yesterday = sign(one);
    jest.setSystemTime(Date.parse('2026-11-21T00:00:00Z'));
    for (const token of [yesterday, sign(one)]) expect(read(other, token)).toEqual(right);
  });

  test('that are revoked by one process end all links within a second, and new ones are good everywhere', async () => {
    const [one, other] = [await start(), await start()];
    const sent = sign(one);
    expect(read(other, sent)).toEqual(right);
    stored.clear();
    await jest.advanceTimersByTimeAsync(second);
    expect([read(one, sent), read(other, sent)]).toEqual([undefined, undefined]);
    await jest.advanceTimersByTimeAsync(second);
    expect(read(other, sign(one))).toEqual(right);
    expect(read(one, sign(other))).toEqual(right);
  });

  test('stay as they are while the store fails, which is logged at each end', async () => {
    const ring = await start();
    const token = sign(ring);
    failing = true;
    await jest.advanceTimersByTimeAsync(5 * second);
    expect(read(ring, token)).toEqual(right);
    failing = false;
    await jest.advanceTimersByTimeAsync(5 * second);
    expect(lines).toEqual([expect.stringContaining('cannot be read'), 'keys of links can be read again']);
  });

  test('that cannot be read at the start are a reason not to start', async () => {
    failing = true;
    await expect(start()).rejects.toThrow('does not answer');
  });

  test('are followed no more after stopping', async () => {
    const ring = await start();
    await ring.stop();
    const before = reads;
    await jest.advanceTimersByTimeAsync(5 * second);
    expect(reads).toBe(before);
  });
});

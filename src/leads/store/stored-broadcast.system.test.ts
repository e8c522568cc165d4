import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { StoreError } from './sql.ts';
import { type Database, openDatabase } from './sqlite.ts';
import { storedBroadcast } from './stored-broadcast.ts';

const live = { status: true, url: 'https://video.example/live' } as const;
const off = { status: false } as const;

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('the stored broadcast', () => {
  let database: Database;

  beforeEach(() => {
    database = openDatabase(temporaryFolder());
  });

  afterEach(() => database.close());

  test('is off until it is set, and then has the last value', async () => {
    const { read, set } = storedBroadcast(database);
    expect(await read()).toEqual(off);
    for (const state of [live, off]) {
      await set(state);
      expect(await read()).toEqual(state);
    }
  });

  test('is off after its end time until it is set again', async () => {
    const { read, set } = storedBroadcast(database);
    const end = Date.now() + 3_600_000;
    const limited = { ...live, until: new Date(end).toISOString() };
    await set(limited);
    expect(await read()).toEqual(limited);
    jest.spyOn(Date, 'now').mockReturnValue(end);
    expect(await read()).toEqual(off);
    await set(live);
    expect(await read()).toEqual(live);
  });

  test('persists when another process sets it, and is visible within a second', async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
    const { current } = storedBroadcast(database);
    expect(await current()).toEqual(off);
    const other = openDatabase(dirname(database.path));
    await storedBroadcast(other).set(live);
    other.close();
    jest.advanceTimersByTime(1_000);
    expect(await current()).toEqual(live);
  });

  test('is off and reported when it cannot be read, while a direct read rejects with the error', async () => {
    const reports: (Error | undefined)[] = [];
    const { current, read } = storedBroadcast(database, { report: (error) => void reports.push(error) });
    database.close();
    expect(await current()).toEqual(off);
    expect(reports).toEqual([expect.any(StoreError)]);
    await expect(read()).rejects.toThrow(StoreError);
  });
});

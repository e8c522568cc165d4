import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { openEditionStore } from '../store/store.ts';
import { siteOf } from '../testing/test-site.ts';
import type { Errand } from './errands.ts';
import { type Following, followEditions } from './follow.ts';

const root = 'root' as never;
const store = openEditionStore(':memory:', { for: 'make' });
let following: Following;
let late: boolean[];

/** How often publishing was begun, if it ends as `publish` does. */
async function begun(publish: () => void, milliseconds: number, until?: Date): Promise<number> {
  const errand = jest.fn<Errand>(async (task) => {
    if (task === 'publish') publish();
  });
  following = followEditions({
    store,
    variant: 'variant' as never,
    first: { edition: { ...(await siteOf()), until }, root },
    errand,
    onEdition() {},
    onProblems() {},
    onOutdated: (is) => late.push(is),
    logger: pino({ enabled: false }),
  });
  following.publish();
  await jest.advanceTimersByTimeAsync(milliseconds);
  return errand.mock.calls.filter(([task]) => task === 'publish').length;
}

beforeEach(() => {
  jest.useFakeTimers();
  late = [];
});
afterEach(async () => {
  jest.useRealTimers();
  await following.stop();
});

test('publishing that ended without a word is tried again after a minute', async () => {
  const killed = () => {
    throw new Error('"publish" was ended.');
  };
  expect(await begun(killed, 59_000)).toBe(1);
  await following.stop();
  expect(await begun(killed, 61_000)).toBe(2);
});

test('a content that was found wrong is not published again until it has changed', async () => {
  const refused = () => {
    store.setNote('failure', JSON.stringify({ at: new Date().toISOString(), problems: 1, message: 'wrong' }));
    throw new Error('wrong');
  };
  expect(await begun(refused, 180_000)).toBe(1);
});

test('whether the edition should have been replaced is told once', async () => {
  await begun(() => {}, 10_000);
  expect(late).toEqual([]);
  await following.stop();
  await begun(() => {}, 10_000, new Date(Date.now() + 5_000));
  expect(late).toEqual([true]);
});

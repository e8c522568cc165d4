import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { within } from './within.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test('resolves to the result of work that ends in time, and clears the timer that would keep a command running', async () => {
  expect(await within(1_000, Promise.resolve('done'))).toBe('done');
  expect(jest.getTimerCount()).toBe(0);
});

test('rejects when the time is over, and not before', async () => {
  const rejected = jest.fn();
  within(1_000, new Promise(() => {})).catch(rejected);
  await jest.advanceTimersByTimeAsync(999);
  expect(rejected).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(rejected).toHaveBeenCalledWith(new Error('no answer within 1000 ms'));
});

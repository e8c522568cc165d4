import { expect, jest, test } from '@jest/globals';
import { lazy } from './lazy.ts';

test('computes a lazy value at its first use, and only once', () => {
  const make = jest.fn(() => '');
  const value = lazy(make);
  expect(make).not.toHaveBeenCalled();
  expect([value(), value()]).toEqual(['', '']);
  expect(make).toHaveBeenCalledTimes(1);
});

test('computes a lazy value again after a failed attempt', () => {
  let attempts = 0;
  const value = lazy(() => {
    attempts += 1;
    if (attempts === 1) throw new Error('busy');
    return 'made';
  });
  expect(value).toThrow('busy');
  expect(value()).toBe('made');
});

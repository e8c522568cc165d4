import { expect, jest, test } from '@jest/globals';
import { lazy, memoized, memoizedWeakly } from './lazy.ts';

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

test('computes the value of each key once', () => {
  const make = jest.fn((key: number) => (key === 0 ? '' : `value ${key}`));
  const value = memoized(make);
  expect([value(0), value(1), value(0), value(1)]).toEqual(['', 'value 1', '', 'value 1']);
  expect(make).toHaveBeenCalledTimes(2);
});

test('computes the value of each object once', () => {
  const make = jest.fn((key: { name: string }) => ({ ...key }));
  const value = memoizedWeakly(make);
  const [one, other] = [{ name: 'one' }, { name: 'other' }];
  expect(value(one)).toBe(value(one));
  expect(value(other)).toEqual(other);
  expect(make).toHaveBeenCalledTimes(2);
});

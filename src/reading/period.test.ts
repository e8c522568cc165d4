import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { periodOf } from './period.ts';

const moscow = 'Europe/Moscow';
const at = (text: string) => new Date(text);
const never = () => undefined;
/** The first of these instants that is still to come. */
const firstOf = (times: readonly string[]) => (after: Date) => times.map(at).find((time) => time > after);

describe('a period', () => {
  test('is the day if nothing changes, where the company is', () => {
    expect(periodOf(at('2026-11-20T20:59:59Z'), moscow, never)).toEqual({
      from: at('2026-11-19T21:00:00Z'),
      until: at('2026-11-20T21:00:00Z'),
    });
    expect(periodOf(at('2026-11-20T20:59:59Z'), 'Asia/Vladivostok', never)).toEqual({
      from: at('2026-11-20T14:00:00Z'),
      until: at('2026-11-21T14:00:00Z'),
    });
  });

  test('at midnight is the day that begins', () => {
    expect(periodOf(at('2026-11-20T21:00:00Z'), moscow, never)).toEqual({
      from: at('2026-11-20T21:00:00Z'),
      until: at('2026-11-21T21:00:00Z'),
    });
  });

  test('is longer or shorter when clocks are changed', () => {
    const hours = (day: string) => {
      const { from, until } = periodOf(at(`${day}T10:00:00Z`), 'Europe/Berlin', never);
      return (until.getTime() - from.getTime()) / 3_600_000;
    };
    expect(['2026-03-29', '2026-10-24', '2026-10-25'].map(hours)).toEqual([23, 24, 25]);
  });

  test('ends with the day, whatever changes later', () => {
    const { until } = periodOf(at('2026-11-20T09:00:00Z'), moscow, firstOf(['2026-11-20T21:00:00.001Z']));
    expect(until).toEqual(at('2026-11-20T21:00:00Z'));
  });

  test('goes from one change to the next, and the change belongs to what it begins', () => {
    const hourly = (after: Date) => new Date((Math.floor(after.getTime() / 3_600_000) + 1) * 3_600_000);
    const expected = { from: at('2026-11-20T09:00:00Z'), until: at('2026-11-20T10:00:00Z') };
    expect(periodOf(at('2026-11-20T09:00:00Z'), moscow, hourly)).toEqual(expected);
    expect(periodOf(at('2026-11-20T09:59:59.999Z'), moscow, hourly)).toEqual(expected);
  });

  test('is the same for all who ask within it', () => {
    const changes = firstOf([
      '2026-11-20T05:30:00Z',
      '2026-11-20T21:00:00Z',
      '2026-11-21T12:00:00Z',
      '2026-12-01T20:59:00Z',
    ]);
    const time = fc.integer({ min: Date.UTC(2026, 10, 18), max: Date.UTC(2026, 11, 3) });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const period = (ms: number) => periodOf(new Date(ms), moscow, changes);
        const { from, until } = period(a);
        expect(from.getTime()).toBeLessThanOrEqual(a);
        expect(until.getTime()).toBeGreaterThan(a);
        if (b >= from.getTime() && b < until.getTime()) expect(period(b)).toEqual({ from, until });
      }),
    );
  });
});

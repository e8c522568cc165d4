import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstOf, nextOfDays, periodOf } from './period.ts';

const moscow = 'Europe/Moscow';
const at = (text: string) => new Date(text);

describe('days', () => {
  const next = nextOfDays(['2026-12-01', '2026-11-20', '2026-12-01'], moscow);

  test('begin at midnight where the company is', () => {
    expect(next(at('2026-11-01T12:00:00Z'))).toEqual(at('2026-11-19T21:00:00Z'));
    expect(nextOfDays(['2026-11-20'], 'Asia/Vladivostok')(at('2026-11-01T12:00:00Z'))).toEqual(
      at('2026-11-19T14:00:00Z'),
    );
  });

  test('that have begun are over', () => {
    expect(next(at('2026-11-19T21:00:00Z'))).toEqual(at('2026-11-30T21:00:00Z'));
    expect(next(at('2026-11-30T21:00:00Z'))).toBeUndefined();
  });
});

test('of several changes the first one counts', () => {
  const never = () => undefined;
  const [early, late] = [() => at('2026-11-20T00:00:00Z'), () => at('2026-11-21T00:00:00Z')];
  expect(firstOf(never, late, early)(at('2026-11-01T00:00:00Z'))).toEqual(early());
  expect(firstOf(never, never)(at('2026-11-01T00:00:00Z'))).toBeUndefined();
});

describe('a period', () => {
  test('begins with the day, and never ends if nothing changes', () => {
    expect(periodOf(at('2026-11-20T20:59:59Z'), moscow, () => undefined)).toEqual({
      from: at('2026-11-19T21:00:00Z'),
      until: undefined,
    });
  });

  test('goes from one change to the next, and the change belongs to what it begins', () => {
    const hourly = (after: Date) => new Date((Math.floor(after.getTime() / 3_600_000) + 1) * 3_600_000);
    const expected = { from: at('2026-11-20T09:00:00Z'), until: at('2026-11-20T10:00:00Z') };
    expect(periodOf(at('2026-11-20T09:00:00Z'), moscow, hourly)).toEqual(expected);
    expect(periodOf(at('2026-11-20T09:59:59.999Z'), moscow, hourly)).toEqual(expected);
  });

  test('is the same for all who ask within it', () => {
    const days = ['2026-11-20', '2026-11-21', '2026-12-01'];
    const time = fc.integer({ min: Date.UTC(2026, 10, 18), max: Date.UTC(2026, 11, 3) });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const period = (ms: number) => periodOf(new Date(ms), moscow, nextOfDays(days, moscow));
        const { from, until } = period(a);
        expect(from.getTime()).toBeLessThanOrEqual(a);
        expect(until === undefined || until.getTime() > a).toBe(true);
        if (until && b >= from.getTime() && b < until.getTime()) expect(period(b).until).toEqual(until);
      }),
    );
  });
});

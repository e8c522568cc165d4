import { expect, test } from '@jest/globals';
import { createElement } from 'react';
import type { Content } from '../model/content.ts';
import { definePage } from './page.ts';

function contentAt(at: string): Content {
  return { at, company: { workingHours: { timeZone: 'Europe/Moscow' } } } as Content;
}

test('a page has changed on the newest of its dates that has come, by the clocks of the company', () => {
  const page = definePage({
    name: 'test',
    path: '/test',
    props: () => ({ dates: ['2026-11-02', '2026-12-01', undefined, '2026-11-01'] }),
    head: () => ({ path: '/test', title: '', description: '', crumbs: [] }),
    dates: ({ dates }) => dates,
    Body: () => createElement('p'),
  });
  const modified = (at: string) => page.open(contentAt(at), {}, {})?.modified;
  expect(modified('2026-11-30T20:59:59Z')).toBe('2026-11-02');
  expect(modified('2026-11-30T21:00:00Z')).toBe('2026-12-01');
  expect(modified('2026-10-01T00:00:00Z')).toBeUndefined();
});

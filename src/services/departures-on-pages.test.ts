import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { addresses } from '../routes.ts';
import { all, one, parseHtml } from '../testing/html.ts';
import { shownSite } from '../testing/test-site.ts';
import type { Timetable } from './departure-table.tsx';

const shipped = (await shownSite()).content;
// A Monday morning.
const content = { ...shipped, at: '2026-11-23T06:00:00.000Z' };

function open(path: string) {
  const address = addresses(content).find((one) => one.path === path);
  const view = address?.page.open(content, address.params, {});
  if (view === undefined) throw new Error(`There is no ${path}.`);
  const { departures } = view.data as { departures?: Timetable };
  return { rows: departures?.rows ?? [], document: parseHtml(`<main>${renderToStaticMarkup(view.body)}</main>`) };
}

test('the home page has the four most urgent departures, and leads to all of them', () => {
  const { rows, document } = open('/');
  const due = rows.map(({ handOver }) => handOver.at);
  expect(due).toHaveLength(4);
  expect(due).toEqual([...due].sort());
  const section = one(document, 'section#departures');
  expect(all(section, 'summary')).toHaveLength(4);
  const links = all(section, 'a').flatMap(({ attrs }) => attrs.href?.match(/^(\/.*)#departures$/)?.[1] ?? []);
  expect(links.flatMap((path) => open(path).rows.map(({ id }) => id)).sort()).toEqual(
    content.departures.map(({ id }) => id).sort(),
  );
});

const carriers = new Set(content.departures.map(({ service }) => service));

test.each([...carriers])('%s has all of its own', (path) => {
  const { rows, document } = open(path);
  const own = content.departures.filter(({ service }) => service === path);
  expect(rows.map(({ id }) => id).sort()).toEqual(own.map(({ id }) => id).sort());
  const list = one(one(document, 'section#departures'), 'ul.departures');
  expect(all(list, 'summary')).toHaveLength(own.length);
});

test('a service to which nothing runs says nothing of departures', () => {
  const { rows, document } = open(content.services.find(({ to }) => !carriers.has(to))?.to ?? '');
  expect(rows).toEqual([]);
  expect(all(document, 'section#departures')).toEqual([]);
});

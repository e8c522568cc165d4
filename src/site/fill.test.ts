import { expect, test } from '@jest/globals';
import { type FillableSite, fillSite } from './fill.ts';

function siteOf(pages: Record<string, () => Promise<void>>): FillableSite {
  const find = (path: string) => ({ prepare: pages[path] ?? (async () => {}) });
  return { paths: Object.keys(pages), files: [], find };
}

test('every page is made ready, also after one that cannot be rendered', async () => {
  const ready: string[] = [];
  const failed: string[] = [];
  const page = (path: string) => async () => void ready.push(path);
  const broken = async () => {
    throw new Error('a component failed');
  };
  const site = siteOf({ '/': page('/'), '/a': broken, '/b': page('/b') });
  await fillSite(
    site,
    () => false,
    (path, error) => failed.push(`${path} ${error}`),
  );
  expect([ready, failed]).toEqual([['/', '/b'], ['/a Error: a component failed']]);
});

test('the work ends once another site is shown', async () => {
  const ready: string[] = [];
  const page = (path: string) => async () => void ready.push(path);
  const site = siteOf({ '/': page('/'), '/a': page('/a'), '/b': page('/b') });
  await fillSite(
    site,
    () => ready.length === 2,
    () => {},
  );
  expect(ready).toEqual(['/', '/a']);
});

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { createCache } from '../lib/cache.ts';
import { paths } from '../lib/paths.ts';
import { readFolder, revisionOf } from '../reading/content-files.ts';
import { testInputs } from '../testing/built.ts';
import { contentWith } from '../testing/content.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { followContent } from './follow.ts';
import type { RunJob } from './jobs.ts';
import { publishFiles } from './revisions.ts';
import type { Site } from './site.ts';

let source: SourceOptions;
let stopFollowing: () => Promise<void>;
let shown: Site[];
let outdated: boolean[];
let refused: boolean[];

function follow(first: Current, { run = async () => {}, watch = false }: { run?: RunJob; watch?: boolean } = {}): void {
  stopFollowing = followContent({
    source,
    first,
    watch,
    folders: paths.pictures(temporaryFolder()),
    run,
    onSite: (site) => shown.push(site),
    onRefused: (is) => refused.push(is),
    onOutdated: (is) => outdated.push(is),
    logger: pino({ enabled: false }),
  });
}

beforeEach(() => {
  [shown, outdated, refused] = [[], [], []];
  source = {
    published: temporaryFolder(),
    contentDir: paths.content,
    shipped: paths.content,
    inputs: testInputs(),
    cache: createCache(),
    drafts: false,
    logger: { error: () => {} },
  };
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
});

afterEach(async () => {
  jest.useRealTimers();
  await stopFollowing();
});

async function after(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    await jest.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('when the time of a site is over, the same files make the next one', async () => {
  const first = readSite(source, new Date());
  follow(first);
  const left = first.site.until.getTime() - Date.now();
  jest.setSystemTime(first.site.until.getTime() - 1_000);
  await after(500);
  expect(shown).toEqual([]);
  await after(3_000);
  expect(left).toBeGreaterThan(0);
  expect(shown.map(({ revision }) => revision)).toEqual([first.site.revision]);
  expect(shown[0]?.id).not.toBe(first.site.id);
  expect(outdated).not.toContain(true);
});

test('what is published is shown within a second, and what cannot be shown is told', async () => {
  follow(readSite(source, new Date()));
  const files = contentWith({ 'pages/cases.md': (text) => text.replace(/^lead: .*$/m, 'lead: Новое') });
  await publishFiles(source.published, files, new Date());
  await after(1_000);
  expect(shown.map(({ revision }) => revision)).toEqual([revisionOf(files)]);

  // Invalid for this version, so the previous revision stays.
  const unknown = contentWith({ 'company.yaml': (text) => `${text}novelty: 1\n` });
  await publishFiles(source.published, unknown, new Date());
  await after(3_000);
  expect([shown.length, outdated.at(-1)]).toEqual([1, true]);
  await publishFiles(source.published, readFolder(paths.content), new Date());
  await after(1_000);
  expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
});

test('nothing changes for visitors when what is published disappears', async () => {
  const files = contentWith({ 'pages/cases.md': (text) => text.replace(/^lead: .*$/m, 'lead: Новое') });
  await publishFiles(source.published, files, new Date());
  follow(readSite(source, new Date()));
  rmSync(join(source.published, revisionOf(files)), { recursive: true });
  await after(2_000);
  expect([shown, outdated]).toEqual([[], [false]]);
});

test('publishing that failed is tried again after a minute, and when something changes', async () => {
  source = { ...source, contentDir: temporaryFolder() };
  writeFileSync(join(source.contentDir, 'company.yaml'), 'name: Короб\n');
  const first = readSite({ ...source, contentDir: paths.content }, new Date());
  let ends: 'well' | 'badly' = 'badly';
  const run = jest.fn<RunJob>(async (command) => {
    if (command === 'publish' && ends === 'badly') throw new Error('"publish" was ended.');
  });
  const tries = () => run.mock.calls.filter(([command]) => command === 'publish').length;
  follow(first, { run, watch: true });
  await after(5_000);
  expect([tries(), refused]).toEqual([1, [true]]);
  ends = 'well';
  // The folder is read in real time, which may take longer than the minute that is played.
  for (let seconds = 0; seconds < 600 && refused.length < 2; seconds++) await after(1_000);
  expect([tries(), refused]).toEqual([2, [true, false]]);
  await after(120_000);
  expect(tries()).toBe(2);
});

import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { createCache } from '../lib/cache.ts';
import { type Hash, hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { type ContentFiles, readFolder, revisionOf } from '../reading/content-files.ts';
import { testInputs } from '../testing/built.ts';
import { contentFolder, contentWith, otherContent } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { followContent } from './follow.ts';
import type { RunJob } from './jobs.ts';
import { candidates, publishBack, publishedState, publishFiles, readPublished, readRevision } from './revisions.ts';
import type { Site } from './site.ts';
import { changesIn } from './watch.ts';

const listed = (folder: string) => candidates(readPublished(folder)).map(({ id }) => id);

function damage(folder: string, id: Hash): void {
  appendFileSync(join(folder, id, 'company.yaml'), '\n');
}

describe('revisions', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute));

  function saying(words: string): ContentFiles {
    const bytes = Buffer.from(words);
    const file = { hash: hashOf(bytes), bytes: () => bytes };
    return new Map([
      ['company.yaml', file],
      ['pages/about.md', file],
    ]);
  }

  const [one, two, three] = [saying('Один'), saying('Два'), saying('Три')];
  const [first, second, third] = [one, two, three].map(revisionOf) as [Hash, Hash, Hash];
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  test('are kept as they were published, and the way back leads further back each time', async () => {
    expect(readPublished(folder)).toEqual({ current: null, revisions: [] });
    const states = new Set<string>();
    for (const [minute, files] of [one, two, three].entries()) {
      await publishFiles(folder, files, at(minute));
      states.add(publishedState(folder));
    }
    expect([listed(folder), states.size]).toEqual([[third, second, first], 3]);
    const kept = [...(readRevision(folder, second) ?? [])].map(([name, { bytes }]) => [name, String(bytes())]);
    expect(kept).toEqual([...two].map(([name, { bytes }]) => [name, String(bytes())]));

    expect([publishBack(folder)?.id, listed(folder)]).toEqual([second, [second, first]]);
    expect([publishBack(folder)?.id, publishBack(folder)]).toEqual([first, undefined]);
    await publishFiles(folder, three, at(3));
    expect(listed(folder)).toEqual([third, second, first]);
  });

  test('are damaged where a file has changed, is missing or was added, which publishing mends', async () => {
    const file = join(folder, first, 'company.yaml');
    const harms = [() => damage(folder, first), () => rmSync(file), () => writeFileSync(`${file}.more`, '')];
    for (const harm of harms) {
      await publishFiles(folder, one, at(0));
      expect(readRevision(folder, first)).toBeDefined();
      harm();
      expect(readRevision(folder, first)).toBeUndefined();
    }
    writeFileSync(join(folder, 'revisions.json'), '{"current": "3');
    expect(readPublished(folder).current).toBeNull();
  });

  test('are twenty, and nothing is left half-written', async () => {
    for (let minute = 0; minute < 21; minute++) await publishFiles(folder, saying(`Раз ${minute}`), at(minute));
    expect(listed(folder)).toHaveLength(20);
    expect(readdirSync(folder).sort()).toEqual([...listed(folder), 'revisions.json'].sort());
  });

  test('that a server begins with do not take the place of what somebody publishes meanwhile', async () => {
    await Promise.all([publishFiles(folder, one, at(0), 'first'), publishFiles(folder, two, at(1))]);
    expect(readPublished(folder).current).toBe(second);
    await publishFiles(folder, three, at(2), 'first');
    expect(listed(folder)[0]).toBe(second);
  });

  test('that several publish at once are whole', async () => {
    await Promise.all([one, one, one, two, two].map((files, minute) => publishFiles(folder, files, at(minute))));
    for (const id of [first, second]) expect(readRevision(folder, id)).toBeDefined();
    expect([first, second]).toContain(readPublished(folder).current);
  });
});

test('a change of a folder is told of once, when it has been quiet', async () => {
  const dir = join(temporaryFolder(), 'later');
  const changed = changesIn(dir);
  expect([await changed(), await changed()]).toEqual([false, false]);
  mkdirSync(dir);
  expect([await changed(), await changed(), await changed()]).toEqual([false, true, false]);
  for (const text of ['Начало', 'Начало и конец']) {
    writeFileSync(join(dir, 'new.md'), text);
    expect(await changed()).toBe(false);
  }
  expect([await changed(), await changed()]).toEqual([true, false]);
});

describe('a server', () => {
  const small = otherContent();
  const led = (lead: string) =>
    contentWith({ 'pages/cases.md': (text) => text.replace(/^lead: .*$/m, `lead: ${lead}`) }, small);
  const [edited, again] = [led('Новое'), led('Новейшее')];
  const shipped = contentFolder(
    Object.fromEntries([...readFolder(paths.content).keys()].map((name) => [name, () => small.get(name)?.bytes()])),
  );
  const cache = createCache();
  let source: SourceOptions;
  let errors: string[];
  let stopFollowing: (() => Promise<void>) | undefined;
  let shown: Site[];
  let outdated: boolean[];
  let refused: boolean[];

  beforeEach(() => {
    [shown, outdated, refused, errors, stopFollowing] = [[], [], [], [], undefined];
    source = {
      published: temporaryFolder(),
      contentDir: shipped,
      shipped,
      inputs: testInputs(),
      cache,
      drafts: false,
      logger: { error: (text: unknown) => void errors.push(String(text)) },
    };
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await stopFollowing?.();
  });

  function follow(first: Current, run: RunJob = async () => {}, watch = false): void {
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

  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 100) {
      await jest.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const publish = (files: ContentFiles) => publishFiles(source.published, files, new Date());

  test('makes the next site of the same files when the time of one is over', async () => {
    const first = readSite(source, new Date());
    follow(first);
    jest.setSystemTime(first.site.until.getTime() - 1_000);
    await pass(500);
    expect(shown).toEqual([]);
    await pass(3_000);
    expect(shown.map(({ revision }) => revision)).toEqual([first.site.revision]);
    expect(shown[0]?.id).not.toBe(first.site.id);
    expect(outdated).not.toContain(true);
  });

  test('shows what is published within a second, tells of what it cannot show, and needs no folder for it', async () => {
    follow(readSite(source, new Date()));
    await publish(edited);
    await pass(1_000);
    expect(shown.map(({ revision }) => revision)).toEqual([revisionOf(edited)]);
    // Invalid for this version, so the previous revision stays.
    await publish(contentWith({ 'company.yaml': (text) => `${text}novelty: 1\n` }, small));
    await pass(3_000);
    expect([shown.length, outdated.at(-1)]).toEqual([1, true]);
    await publish(again);
    await pass(1_000);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
    rmSync(join(source.published, revisionOf(again)), { recursive: true });
    writeFileSync(join(source.published, '.half'), 'name: Ящ');
    await pass(2_000);
    expect([shown.length, outdated.at(-1)]).toEqual([2, false]);
  });

  test('goes on after a restart with what it has shown, whatever the folder has now', async () => {
    const contentDir = join(source.published, revisionOf(small));
    await publish(small);
    source = { ...source, contentDir, published: temporaryFolder() };
    follow(readSite(source, new Date()));
    jest.useRealTimers();
    await eventually(() => listed(source.published), [revisionOf(small)]);
    damage(join(contentDir, '..'), revisionOf(small));
    expect(revisionOf(readFolder(contentDir))).not.toBe(revisionOf(small));
    const { site, asPublished } = readSite(source, new Date());
    expect([site.revision, asPublished]).toEqual([revisionOf(small), true]);
  });

  test('begins with the one before where a revision is damaged, and with what ships at last', async () => {
    await publish(edited);
    await publish(again);
    const begun = () => {
      const { site, asPublished } = readSite(source, new Date());
      return [site.revision, asPublished];
    };
    expect(begun()).toEqual([revisionOf(again), true]);
    damage(source.published, revisionOf(again));
    expect(begun()).toEqual([revisionOf(edited), false]);
    expect(errors).toEqual([expect.stringContaining(`${revisionOf(again)} is damaged`)]);
    rmSync(join(source.published, revisionOf(edited)), { recursive: true });
    expect(begun()).toEqual([revisionOf(readFolder(shipped)), false]);
  });

  test('tries again after a minute what could not be published, and not when it could', async () => {
    source = { ...source, contentDir: temporaryFolder() };
    writeFileSync(join(source.contentDir, 'company.yaml'), 'name: Короб\n');
    let ends: 'well' | 'badly' = 'badly';
    let tries = 0;
    const run: RunJob = async (command) => {
      if (command !== 'publish') return;
      tries += 1;
      if (ends === 'badly') throw new Error('"publish" was ended.');
    };
    follow(readSite({ ...source, contentDir: shipped }, new Date()), run, true);
    await pass(5_000);
    expect([tries, refused]).toEqual([1, [true]]);
    ends = 'well';
    // The folder is read in real time, which may take longer than the minute that is played.
    for (let seconds = 0; seconds < 600 && refused.length < 2; seconds++) await pass(1_000);
    await pass(120_000);
    expect([tries, refused]).toEqual([2, [true, false]]);
  });
});

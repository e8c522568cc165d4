import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { parse } from 'yaml';
import { schemaFiles } from '../../scripts/schemas.ts';
import { createCache } from '../lib/cache.ts';
import { paths } from '../lib/paths.ts';
import { isSample } from '../model/content.ts';
import { sections } from '../routes.ts';
import { film } from '../tests/support/films.ts';
import { problemsOf } from '../tests/support/problems.ts';
import { contentFolder, contentWith, fileIn, valued } from '../tests/support/sample-content.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';
import { readAssets } from './assets.ts';
import { type ContentFiles, readFolder, readFolderInTurns } from './content-files.ts';
import { type KindName, kinds } from './kinds.ts';
import { loadContent, newestFirst } from './load-content.ts';
import { blogCategories, newFile, newKinds } from './new-file.ts';
import { periodOf } from './period.ts';
import { type JsonSchema, labelOf, schemaOf } from './schema-parts.ts';
import { readSources } from './sources.ts';

const shippedTest = testIf({ shipped: true });

const at = new Date('2026-11-21T22:30:00Z');
const assets = readAssets(paths.public);
const cache = createCache();
const contentOf = (files: ContentFiles) =>
  loadContent(readSources(files, sections, cache), { assets, at, drafts: true }).content;
const content = contentOf(readFolder(paths.content));

describe('the content that ships', () => {
  shippedTest('has eleven services and enough of everything else, in every category', () => {
    const { services, cases, reviews, articles, news, questions, categories } = content;
    expect(services).toHaveLength(11);
    for (const posts of [cases, reviews, articles, news, questions]) expect(posts.length).toBeGreaterThanOrEqual(12);
    const filled = new Set([...articles, ...reviews].map(({ category }) => category));
    expect(filled).toEqual(new Set([...categories.blog, ...categories.reviews].map(({ slug }) => slug)));
  });

  shippedTest('lists each of its files as sample, and invents its company', () => {
    const { phone, tollFree, email } = content.company;
    expect([...readFolder(paths.content).keys()].filter((file) => !isSample(content.sample, file))).toEqual([]);
    expect(email).toMatch(/@example\.ru$/);
    for (const one of [phone, tollFree]) expect(one?.text).toMatch(/000-00-00$/);
  });

  test('has prices for every service, and no placeholder text', () => {
    expect(content.services.filter(({ rates }) => rates.length === 0)).toEqual([]);
    expect(JSON.stringify(content)).not.toMatch(/lorem|TODO|FIXME|undefined|\[object|NaN/i);
  });
});

describe('the list of what is still the sample', () => {
  const [file, other] = [fileIn('cases'), fileIn('cases', 1)];

  test.each([
    [['cases/'], [true, true]],
    [['cases'], [true, true]],
    [[file], [true, false]],
    [
      [file, 'cases/', 'cases/'],
      [true, true],
    ],
    [
      ['case', 'reviews/', file.slice(0, -1)],
      [false, false],
    ],
    [[], [false, false]],
  ])('is %j, so the posts that it has are samples: %j', (sample, expected) => {
    const { cases } = contentOf(contentWith({ 'company.yaml': valued({ sample, slogan: 'Всё своё' }) }));
    const postIn = (name: string) => cases.find(({ slug }) => name === `cases/${slug}.md`);
    expect([file, other].map((name) => postIn(name)?.sample)).toEqual(expected);
  });
});

describe('a new warehouse', () => {
  const departing = (change: (departure: string) => string) =>
    contentWith({
      'departures.yaml': (text) =>
        text.replace(/- id: tula\n.*?(?=\n- id)/s, (tula) =>
          [tula, change(tula.replace('id: tula', 'id: omsk').replace('Тула', 'Омск'))].join('\n'),
        ),
    });

  shippedTest('appears in the calculator if its departure names prices', async () => {
    const { warehouses } = contentOf(departing((text) => text)).calculator;
    expect(warehouses).toContainEqual({ ...warehouses.find(({ id }) => id === 'tula'), id: 'omsk', text: 'Омск' });
    const files = departing((text) => text.replace(/ {2}rates: .*\n/, ''));
    const { departures, calculator } = contentOf(files);
    expect(departures.map(({ id }) => id)).toContain('omsk');
    expect(calculator.warehouses.map(({ id }) => id)).not.toContain('omsk');
    expect(await problemsOf(files)).toEqual([]);
  });
});

describe('a content folder', () => {
  test('excludes README files and files that editors and systems leave there', () => {
    const dir = temporaryFolder();
    for (const folder of ['news', '.git', '__MACOSX']) mkdirSync(join(dir, folder));
    const read = ['README-first.md', 'company.yaml', 'news/a.md', 'news/readme.md'];
    const systems = ['Thumbs.db', 'news/desktop.ini', 'news/Icon\r', '__MACOSX/a.md', 'news/~$a.md'];
    const swaps = ['news/a.md.orig', 'news/a.md.BAK', 'news/a.md.rej', 'news/a.md.swp', 'news/a.tmp', 'news/#a.md#'];
    const editors = ['news/a.md~', 'news/.#a.md', 'news/.~lock.a.md#', 'news/4913', ...swaps];
    const others = ['README.md', 'news/README.md', '.DS_Store', '.git/config', ...editors, ...systems];
    for (const name of [...others, ...read]) writeFileSync(join(dir, name), name);
    expect([...readFolder(dir).keys()]).toEqual(read);
  });

  test('normalizes texts and picture names to NFC', async () => {
    const decomposed = (text: string) => text.normalize('NFD');
    const dir = contentFolder();
    const picture = readFileSync(join(dir, 'cases/packed-wrong-and-right.png'));
    writeFileSync(join(dir, decomposed('cases/Чёрный ящик.png')), picture);
    const videoNews = fileIn('blog/video-news');
    writeFileSync(join(dir, decomposed('blog/video-news/Чёрный.mp4')), film());
    const news = join(dir, videoNews);
    writeFileSync(news, readFileSync(news, 'utf8').replace(/href: .*(?=\.mp4)/, 'href: Чёрный'));
    const file = join(dir, fileIn('cases'));
    writeFileSync(file, decomposed(`${readFileSync(file, 'utf8')}\n![Чёрный ящик](<Чёрный ящик.png>)\n`));
    const files = readFolder(dir);
    expect((await problemsOf(files)).filter(({ warning }) => !warning)).toEqual([]);
    expect(JSON.stringify(contentOf(files))).toBe(JSON.stringify(contentOf(files)).normalize('NFC'));
  });

  test('is read asynchronously with the same result', async () => {
    const dir = contentFolder({ 'news/photo.jpg': () => 'photo', 'news/clip.mp4': () => 'clip' });
    let isRead = false;
    const reading = readFolderInTurns(dir).finally(() => {
      isRead = true;
    });
    await setImmediate();
    expect(isRead).toBe(false);
    const hashes = (files: ContentFiles) => [...files].map(([name, { hash }]) => [name, hash]);
    expect(hashes(await reading)).toEqual(hashes(readFolder(dir)));
  });

  test('must not contain symbolic links, which are reported and not followed', () => {
    const dir = contentFolder();
    symlinkSync(dir, join(dir, 'loop'));
    expect(() => readFolder(dir)).toThrow('loop:1: Это ссылка');
  });

  test('must contain company.yaml, so that a wrong path does not load the whole disk', () => {
    for (const dir of ['/nowhere', temporaryFolder()]) {
      expect(() => readFolder(dir)).toThrow(`CONTENT_DIR: ${dir} has no company.yaml`);
    }
  });

  test('returns only the bytes of a photograph that match its hash, and reports a file that has changed', () => {
    const dir = contentFolder({ 'news/photo.jpg': () => 'before' });
    const photo = readFolder(dir).get('news/photo.jpg');
    expect(String(photo?.bytes())).toBe('before');
    writeFileSync(join(dir, 'news/photo.jpg'), 'after');
    expect(() => photo?.bytes()).toThrow('news/photo.jpg:1: Файл изменился, пока его проверяли');
    rmSync(join(dir, 'news/photo.jpg'));
    expect(() => photo?.bytes()).toThrow('news/photo.jpg:1: Это не прочитать');
  });

  test('must contain the page of contacts and the form, and needs a list for posts to be seen', async () => {
    const gone = ['pages/contact.md', 'pages/contacts.md'];
    const files = contentWith(Object.fromEntries([...gone, 'pages/cases.md'].map((file) => [file, () => undefined])));
    const problems = (await problemsOf(files)).map(({ file, missing, warning }) => ({ file, missing, warning }));
    expect(problems.filter(({ missing }) => missing).map(({ file }) => file)).toEqual(gone);
    expect(problems).toContainEqual({ file: expect.stringMatching(/^cases\//), missing: undefined, warning: true });
  });
});

describe('a new file', () => {
  const categories = content.categories.blog.map(({ slug }) => slug);
  const shipped = readSources(readFolder(paths.content), sections, cache);
  const begin = (kind: KindName, category = categories[0] ?? '', read = shipped) =>
    newFile({ kind, heading: 'Ёлки: "10" шагов', category, read, at });
  const begun = newKinds.map((kind) => ({ name: kind as string, kind, file: begin(kind) }));
  for (const { slug } of shipped.sources.categories[0]?.value.blog.filter(({ video }) => video) ?? [])
    begun.push({ name: slug, kind: 'article', file: begin('article', slug) });

  test.each(begun)(
    'of $name names every field, and passes the check as a draft dated today',
    async ({ kind, file }) => {
      const { path, text } = file;
      const fields = Object.keys(schemaOf(kinds[kind]).properties ?? {});
      const unnamed = fields.filter((field) => !new RegExp(`^(# )?${field}:`, 'm').test(text));
      expect(unnamed).toEqual(kind === 'article' && !text.includes('\nvideo:') ? ['video'] : []);
      const files = contentWith({ [path]: () => text });
      expect(await problemsOf(files, at)).toEqual([]);
      const slug = basename(path, '.md');
      expect(slug).toBe('elki-10-shagov');
      const { articles, news, cases, reviews, services, pages } = contentOf(files);
      const posts = [...articles, ...news, ...cases, ...reviews].filter((one) => one.slug === slug);
      expect([...posts, ...services.filter((one) => one.slug === slug), pages[slug]]).toContainEqual(
        expect.objectContaining({ unpublished: 'draft' }),
      );
      for (const { published } of posts) expect(published).toBe('2026-11-22');
    },
  );

  test.each(begun)('of $name causes an error at each line that still has template words', async ({ file }) => {
    const text = file.text.replace('draft: true', 'draft: false').replace(/^published: .*/m, 'published: 2026-11-20');
    const lines = text.split('\n').flatMap((line, index) => (/^(?!\s*# ).*ВПИШИТЕ/.test(line) ? [index + 1] : []));
    const told = async (written: string) => {
      const problems = await problemsOf(contentWith({ [file.path]: () => written }), at);
      return problems.filter(({ file: of, warning }) => of === file.path && !warning).map(({ line }) => line);
    };
    expect(lines.length).toBeGreaterThan(0);
    expect(await told(text)).toEqual(lines);
    // Removing only the placeholder word or uncommenting an example still causes errors.
    const bare = text.replace(/^(?!.*[$:] ВПИШИТЕ.*поиск)(.*)ВПИШИТЕ,? /gm, '$1');
    expect((await told(bare)).length).toBeGreaterThan(lines.length / 2);
    if (!text.includes('# callout:')) return;
    const unfolded = file.text
      .replace(/^draft: true$/m, '')
      .replace(/^# (callout:| {2}heading:| {2}text:| {2}preset:)/gm, '$1');
    expect((await told(unfolded)).length).toBe(lines.length + 2);
  });

  test('gets a unique number, and is created even if other files are invalid', () => {
    const files = contentWith({
      'company.yaml': () => '\t',
      'categories.yaml': () => '- ',
      'presets.yaml': () => undefined,
      [fileIn('blog/articles')]: (text) => text.replace(/^id: .*$/m, 'id: 900\ntitle: "'),
    });
    const { path, text } = begin('article', categories[0], readSources(files));
    expect([path, /^id: .*/m.exec(text)?.[0]]).toEqual([`blog/${categories[0]}/elki-10-shagov.md`, 'id: 901']);
    expect(blogCategories(readSources(files)).sort()).toEqual(categories.toSorted());
  });
});

describe('schemas', () => {
  // The editors' programs define the formats, and the project defines other keywords.
  const ajv = new Ajv({ validateFormats: false, strict: false, allErrors: true });
  const root = join(import.meta.dirname, '../..');
  const filesOf = (pattern: string | readonly string[]) => globSync(pattern, { cwd: paths.content });

  function fieldsIn(file: string): unknown {
    const text = readFileSync(join(paths.content, file), 'utf8');
    return parse(file.endsWith('.md') ? (text.split(/^---$/m)[1] ?? '') : text);
  }

  test('for completion are the output of "npm run schemas"', () => {
    const written = (file: string) => existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8');
    expect([...schemaFiles()].filter(([file, text]) => written(file) !== text)).toEqual([]);
  });

  test('cover every content file', () => {
    const files = filesOf('**/*.{md,yaml,csv}').filter((file) => !file.endsWith('README.md'));
    expect(
      Object.values(kinds)
        .flatMap(({ files }) => filesOf(files))
        .sort(),
    ).toEqual(files.sort());
  });

  // No program validates the table by a JSON Schema.
  const validated = Object.entries(kinds).filter(([name]) => name !== 'prices');

  test.each(validated)('of %s accept every file that ships, and reject a misspelt field', (_, kind) => {
    const accepts = ajv.compile(schemaOf(kind));
    for (const file of filesOf(kind.files)) {
      const value = fieldsIn(file) ?? [];
      expect([file, accepts(value), accepts.errors]).toEqual([file, true, null]);
      const one = Array.isArray(value) ? value[0] : value;
      if (one === undefined) continue;
      const misspelt = { ...one, headnig: 'x' };
      expect(accepts(Array.isArray(value) ? [misspelt] : misspelt)).toBe(false);
    }
  });

  /** Every field within a schema, with its path. */
  function fieldsOf(schema: JsonSchema, path: string): [string, JsonSchema][] {
    const items = [schema.items ?? [], schema.anyOf ?? []].flat();
    const own = Object.entries(schema.properties ?? {});
    return [
      ...own.flatMap(([key, one]): [string, JsonSchema][] => [
        [`${path}.${key}`, one],
        ...fieldsOf(one, `${path}.${key}`),
      ]),
      ...items.flatMap((one) => fieldsOf(one, path)),
    ];
  }

  test('name every field in Russian, in at most 30 characters', () => {
    const fields = validated.flatMap(([name, kind]) => fieldsOf(schemaOf(kind), name));
    const wrong = fields.filter(([, schema]) => {
      const { name } = labelOf(schema);
      return name.length > 30 || !/\p{Script=Cyrillic}|^id$|^slug$/u.test(name);
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
});

describe('a period without changes', () => {
  const moscow = 'Europe/Moscow';
  const date = (text: string) => new Date(text);
  /** The first of these instants after the given one. */
  const firstOf =
    (...times: string[]) =>
    (after: Date) =>
      times.map(date).find((time) => time > after);

  test.each([
    [
      'the day in the time zone of the company',
      '2026-11-20T20:59:59Z',
      moscow,
      '2026-11-19T21:00:00Z',
      '2026-11-20T21:00:00Z',
    ],
    [
      'the day in another time zone',
      '2026-11-20T20:59:59Z',
      'Asia/Vladivostok',
      '2026-11-20T14:00:00Z',
      '2026-11-21T14:00:00Z',
    ],
    [
      'a short day, when clocks change',
      '2026-03-29T10:00:00Z',
      'Europe/Berlin',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ],
  ])('is %s', (_, now, zone, from, until) => {
    expect(periodOf(date(now), zone, firstOf())).toEqual({ from: date(from), until: date(until) });
  });

  test('is the same for every instant within it, and does not cross a change or midnight', () => {
    const changes = firstOf('2026-11-20T05:30:00Z', '2026-11-20T21:00:00Z', '2026-11-21T12:00:00Z');
    const time = fc.integer({ min: Date.UTC(2026, 10, 18), max: Date.UTC(2026, 11, 3) });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const period = (ms: number) => periodOf(new Date(ms), moscow, changes);
        const { from, until } = period(a);
        expect(from.getTime()).toBeLessThanOrEqual(a);
        expect(until.getTime()).toBeGreaterThan(a);
        expect(changes(from)?.getTime() ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(until.getTime());
        if (b >= from.getTime() && b < until.getTime()) expect(period(b)).toEqual({ from, until });
        // The end belongs to the next period.
        expect(period(until.getTime()).from).toEqual(until);
      }),
    );
  });
});

test('posts are sorted by day, and those of one day by id, newest first, in any order of files', () => {
  const days = fc.constantFrom('2025-12-31', '2026-01-01', '2026-11-09', '2026-11-10');
  const posts = fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 200 }), published: days }), {
    selector: ({ id }) => id,
  });
  const inTwoOrders = posts.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(inTwoOrders, ([all, shuffled]) => {
      const sorted = newestFirst(all);
      expect(newestFirst(shuffled)).toEqual(sorted);
      expect(new Set(sorted)).toEqual(new Set(all));
      const ranks = sorted.map(({ published, id }) => Date.parse(published) + id);
      expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
    }),
  );
});

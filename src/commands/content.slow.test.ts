import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { filesBelow } from '../lib/files.ts';
import { paths } from '../lib/paths.ts';
import { type Change, contentFolder } from '../testing/content.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { korob } from './testing.ts';

/** Runs `check` on the shipped content with some files changed. */
function check(changes: Record<string, Change>, ...args: string[]) {
  return korob(temporaryFolder(), ['check', ...args], { CONTENT_DIR: contentFolder(changes) });
}

const append = (text: string) => (before: string) => `${before.trimEnd()}\n\n${text}\n`;
const lines = (file: string) => readFileSync(join(paths.content, file), 'utf8').trimEnd().split('\n').length;
const article = 'blog/articles/fbo-ili-fbs.md';

describe('check', () => {
  test('of content that is in order says so, and strictly too', async () => {
    const fine = { code: 0, stdout: '', stderr: expect.stringMatching(/^Nothing to mend: \d+ pages\.\n$/) };
    // What it says of dates depends on the day: dated today, the content is in order for ever.
    const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    const dated = (text: string) => text.replace(/\b(updated|checked|effective): \d{4}-\d\d-\d\d/g, `$1: ${today}`);
    const files = filesBelow(paths.content)
      .filter((path) => /\.(md|yaml)$/.test(path))
      .filter((path) => dated(readFileSync(path, 'utf8')) !== readFileSync(path, 'utf8'))
      .map((path) => path.slice(paths.content.length + 1));
    expect(await check(Object.fromEntries(files.map((file) => [file, dated])), '--strict')).toEqual(fine);
  });

  test('lists warnings by file and line, which only --strict takes for a failure', async () => {
    const changes = { [article]: append('Сдайте груз в\nв пятницу, [подробнее](/rates).') };
    const line = lines(article) + 2;
    const { code, stdout, stderr } = await check(changes);
    expect([code, stdout.split('\n').filter((one) => one.startsWith(article))]).toEqual([
      0,
      [
        `${article}:${line}: warning: word: expected "в" once, found "в в"`,
        `${article}:${line + 1}: warning: link: expected words that say where the link leads, found "подробнее"`,
      ],
    ]);
    expect(stderr).toMatch(/^\d+ warnings on \d+ pages\.\n$/);
    const strict = await check(changes, '--strict');
    expect([strict.code, strict.stdout]).toEqual([1, stdout]);
    expect(strict.stderr).toMatch(/^0 errors and \d+ warnings to mend\.\n$/);
  });

  describe('of content that cannot be published', () => {
    const rows = [
      '{ from: /one, to: /two }',
      '{ from: /two, to: /rates }',
      '{ from: /a, to: /b }',
      '{ from: /b, to: /a }',
    ];
    const [cases, redirects] = ['cases/kitchenware-breakage.md', 'redirects.yaml'];
    let result: Awaited<ReturnType<typeof check>>;
    const found = (file: string) => result.stdout.split('\n').filter((line) => line.startsWith(file));
    beforeAll(async () => {
      result = await check({
        [article]: append('# Ещё раз\n\nГруз на\nна склад, [цены](/tariffs#marking).'),
        [cases]: append('[Никуда](/nowhere)'),
        [redirects]: append(rows.map((row) => `- ${row}`).join('\n')),
      });
    });

    test('lists errors and warnings by file and line, and fails', () => {
      const end = lines(article);
      expect(found(article)).toEqual([
        `${article}:${end + 2}: error: heading: expected a heading of level 2, "##", found # Ещё раз`,
        `${article}:${end + 4}: warning: word: expected "на" once, found "на на"`,
        `${article}:${end + 5}: error: link: expected /rates, where redirects lead from this one, found /tariffs#marking`,
      ]);
      expect(found(cases)).toEqual([
        `${cases}:${lines(cases) + 2}: error: link: expected an address that this site has, found /nowhere`,
      ]);
      const files = result.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/:.*/, ''));
      expect(files).toEqual([...files].sort());
      expect([result.code, result.stderr]).toEqual([
        1,
        expect.stringMatching(/^6 errors and \d+ warnings? to mend\.\n$/),
      ]);
    });

    test('names chains and circles of redirects, with where they end', () => {
      const first = lines(redirects) + 2;
      const circle = 'an address that this site has; redirects lead from this one in a circle';
      expect(found(redirects)).toEqual([
        `${redirects}:${first}: error: link: expected /rates, where redirects lead from this one, found /two`,
        `${redirects}:${first + 2}: error: link: expected ${circle}, found /b`,
        `${redirects}:${first + 3}: error: link: expected ${circle}, found /a`,
      ]);
    });
  });
});

test('errors of texts keep a content from being published, and warnings do not', async () => {
  const dataDir = temporaryFolder();
  const publish = (change: Change) =>
    korob(dataDir, ['publish'], { CONTENT_DIR: contentFolder({ [article]: change }) });
  const refused = await publish(append('## Конец\n\n#### Слишком мелко'));
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(': heading: expected a heading of level 3, "###", found #### Слишком мелко'),
  ]);
  expect(await publish(append('Груз на\nна склад.'))).toMatchObject({ code: 0 });
});

describe('publish', () => {
  const headed = (heading: string) =>
    contentFolder({ 'pages/about.md': (text) => text.replace(/^heading: .*$/m, `heading: ${heading}`) });

  test('says what differs for visitors, and --back returns to what was there before', async () => {
    const dataDir = temporaryFolder();
    const publish = (folder: string, ...args: string[]) =>
      korob(dataDir, ['publish', ...args], { CONTENT_DIR: folder });
    const [first, second] = [headed('О нас'), headed('Кто мы')];
    expect(await publish(first, '--back')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to return to'),
    });
    const id = /^Edition (\S+) is published, \d+ pages/m.exec((await publish(first)).stderr)?.[1];
    expect(id).toMatch(/^[\da-f]{16}$/);
    const changed = await publish(second);
    expect(changed.stdout.trim().split('\n')).toContain('changed /about');
    expect(changed.stderr).not.toContain(`Edition ${id} `);
    expect(await publish(second)).toMatchObject({ code: 0, stdout: '' });
    const back = await publish(second, '--back');
    expect([back.code, back.stdout, back.stderr]).toEqual([
      0,
      changed.stdout,
      expect.stringContaining(`Edition ${id} is published`),
    ]);
  });
});

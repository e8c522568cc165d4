import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { filesBelow } from '../../lib/files.ts';
import { paths } from '../../lib/paths.ts';
import { korob } from '../../testing/commands.ts';
import { type Change, contentFolder, fielded, fileIn, shippedTest, valued } from '../../testing/content.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

/** Runs `check` on the shipped content with some files changed. */
function check(changes: Record<string, Change>, ...args: string[]) {
  return korob(temporaryFolder(), ['check', ...args], { CONTENT_DIR: contentFolder(changes) });
}

const append = (text: string) => (before: string) => `${before.trimEnd()}\n\n${text}\n`;
const lines = (file: string) => readFileSync(join(paths.content, file), 'utf8').trimEnd().split('\n').length;
const article = fileIn('blog/articles');

describe('check', () => {
  shippedTest('of content that is in order says so, and strictly too', async () => {
    const fine = { code: 0, stdout: '', stderr: expect.stringMatching(/^Всё в порядке, страниц: \d+\.\n$/) };
    // Old dates are warned of, so all of them become today's.
    const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    const dated = (text: string) => text.replace(/\b(updated|checked|effective): \d{4}-\d\d-\d\d/g, `$1: ${today}`);
    const files = filesBelow(paths.content)
      .filter((path) => /\.(md|yaml)$/.test(path))
      .filter((path) => dated(readFileSync(path, 'utf8')) !== readFileSync(path, 'utf8'))
      .map((path) => path.slice(paths.content.length + 1));
    expect(await check(Object.fromEntries(files.map((file) => [file, dated])), '--strict')).toEqual(fine);
  });

  test('lists warnings by file and line, which only --strict takes for a failure', async () => {
    const changes = { [article]: append('Сдайте груз в cрок,\nв пятницу, [подробнее](/rates).') };
    const line = lines(article) + 2;
    const { code, stdout, stderr } = await check(changes);
    expect([code, stdout.split('\n').filter((one) => one.startsWith(article))]).toEqual([
      0,
      [
        `${article}:${line}: замечание: В слове «cрок» латинское «c»: выглядит так же, но поиск слова не найдёт. Наберите его заново.`,
        `${article}:${line + 1}: замечание: По словам ссылки «подробнее» не понять, куда она ведёт. Назовите то, что откроется: [тарифы](/rates).`,
      ],
    ]);
    expect(stderr).toMatch(/^Замечаний: \d+, страниц: \d+\.\n$/);
    const strict = await check(changes, '--strict');
    expect([strict.code, strict.stdout]).toEqual([1, stdout]);
    expect(strict.stderr).toMatch(/^Ошибок: 0, замечаний: \d+\.\n$/);
  });

  test('of another company’s content finds what is left of the invented one', async () => {
    const left = async (demo: boolean) => {
      const company = valued({ demo, slogan: 'Всё своё' });
      const { code, stdout } = await check({ 'company.yaml': company, [article]: append('Договор с ООО «Короб».') });
      return [code, stdout.split('\n').find((one) => one.startsWith(`${article}:${lines(article) + 2}: `))];
    };
    expect(await left(true)).toEqual([0, undefined]);
    expect(await left(false)).toEqual([
      0,
      expect.stringMatching(/: замечание: «ООО «Короб» есть только у компании из образца/),
    ]);
  });

  describe('of content that cannot be published', () => {
    const rows = [
      '{ from: /one, to: /two }',
      '{ from: /two, to: /rates }',
      '{ from: /a, to: /b }',
      '{ from: /b, to: /a }',
    ];
    const [cases, redirects] = [fileIn('cases'), 'redirects.yaml'];
    let result: Awaited<ReturnType<typeof check>>;
    const found = (file: string) => result.stdout.split('\n').filter((line) => line.startsWith(file));
    beforeAll(async () => {
      result = await check({
        [article]: append('# Ещё раз\n\nГруз в cрок\nна склад, [цены](/tariffs#marking).'),
        [cases]: append('[Никуда](/nowhere)'),
        [redirects]: append(rows.map((row) => `- ${row}`).join('\n')),
      });
    });

    test('lists errors and warnings by file and line, and fails', () => {
      const end = lines(article);
      expect(found(article)).toEqual([
        `${article}:${end + 2}: Один знак # у заголовка всей страницы, он стоит в поле heading. Здесь нужно ##.`,
        `${article}:${end + 5}: «/tariffs#marking» переехал. Сошлитесь сразу на /rates.`,
        `${article}:${end + 4}: замечание: В слове «cрок» латинское «c»: выглядит так же, но поиск слова не найдёт. Наберите его заново.`,
      ]);
      expect(found(cases)).toEqual([
        `${cases}:${lines(cases) + 2}: Ссылка «/nowhere» никуда не ведёт: такой страницы нет. Скопируйте адрес из браузера, без названия сайта.`,
      ]);
      const places = result.stdout.split('\n').filter((line) => /^\S+:\d+: /.test(line));
      const kinds = places.map((line) => `${/: замечание: /.test(line) ? 'then' : 'first'} ${line.replace(/:.*/, '')}`);
      expect(kinds).toEqual([...kinds].sort());
      expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(/^Ошибок: 6, замечаний: \d+\.\n$/)]);
    });

    test('names redirects that lead to another one', () => {
      const first = lines(redirects) + 2;
      expect(found(redirects)).toEqual([
        `${redirects}:${first}: «/two» переехал. Сошлитесь сразу на /rates.`,
        `${redirects}:${first + 2}: «/b» переехал. Сошлитесь сразу на /a.`,
        `${redirects}:${first + 3}: «/a» переехал. Сошлитесь сразу на /b.`,
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
    expect.stringContaining(': Заголовок пропускает ступень. Здесь нужно ###.\n    ### Слишком мелко'),
  ]);
  expect(await publish(append('Груз в cрок.'))).toMatchObject({ code: 0 });
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
    expect((await publish(first)).stderr).toMatch(/^Published \d+ pages, \d+ of which differ\.$/m);
    const changed = await publish(second);
    expect(changed.stdout.trim().split('\n')).toContain('changed /about');
    expect(await publish(second)).toMatchObject({ code: 0, stdout: '' });
    const refused = await publish(headed(''));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('heading')]);
    const back = await publish(second, '--back');
    expect([back.code, back.stdout, back.stderr]).toEqual([0, changed.stdout, expect.stringContaining('Published')]);
  });

  test('names the line for redirects.yaml when a post has another address', async () => {
    const dataDir = temporaryFolder();
    const news = readFileSync(join(paths.content, fileIn('news')), 'utf8');
    const own = fielded('heading', 'Склад в Твери')(fielded('title', 'Склад в Твери')(fielded('id', '9001')(news)));
    const publish = (slug: string, redirects: Change = (text) => `${text}\n`) =>
      korob(dataDir, ['publish'], {
        CONTENT_DIR: contentFolder({ [`news/${slug}.md`]: () => own, 'redirects.yaml': redirects }),
      });
    expect((await publish('tver')).stderr).not.toContain('redirects.yaml');
    const line = '- { from: /about/novosti/tver, to: /about/novosti/tver-sklad }';
    expect((await publish('tver-sklad')).stderr.split('\n')).toContain(line);
    await publish('tver');
    expect((await publish('tver-sklad', (text) => `${text}\n${line}\n`)).stderr).not.toContain('redirects.yaml:');
  });
});

test('publish tells of the same warnings as check, each time, and of nothing if there is none', async () => {
  const dataDir = temporaryFolder();
  const run = (command: string, change: Change) =>
    korob(dataDir, [command], { CONTENT_DIR: contentFolder({ [article]: change }) });
  const warnings = (text: string) => text.split('\n').filter((line) => /^\S+:\d+: /.test(line));
  const [fine, doubtful] = [append('Груз на складе.'), append('Груз в cрок.')];
  for (const change of [doubtful, doubtful, fine]) {
    const known = warnings((await run('check', change)).stdout);
    expect(known.filter((line) => line.startsWith(`${article}:${lines(article) + 2}: `))).toHaveLength(
      change === fine ? 0 : 1,
    );
    expect(warnings((await run('publish', change)).stderr)).toEqual(known);
  }
});

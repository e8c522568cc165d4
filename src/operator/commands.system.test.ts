import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import Papa from 'papaparse';
import { run } from '../cli.ts';
import { databasePath } from '../leads/store/sqlite.ts';
import { localTime } from '../lib/calendar.ts';
import { paths } from '../lib/paths.ts';
import { instant } from '../model/working-hours.ts';
import { readFolder } from '../reading/content-files.ts';
import { newKinds } from '../reading/new-file.ts';
import { atMoment } from '../testing/at-moment.ts';
import { keep, korob as korobIn, memory, withStore } from '../testing/commands.ts';
import { type Change, contentFolder, fielded, fileIn, shippedTest, valued } from '../testing/content.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { currentContent } from './commands/content.ts';
import { loadConfig } from './config.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const korob = (args: string[], env: Record<string, string> = {}) => korobIn(folder, args, env);
const done = { code: 0, stderr: '' };

describe('leads', () => {
  test('are listed a line each, the newest first; that there are none is told on standard error', async () => {
    await keep(folder, []);
    expect(await korob(['leads', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'There are none.\n' });
    const stderr = 'There is no lead 2; "leads list" shows which there are.\n';
    expect(await korob(['leads', 'show', '2'])).toEqual({ code: 1, stdout: '', stderr });
    await keep(folder, [{ name: 'Анна' }, { name: 'Спамер', quarantined: true }]);
    const { stdout, ...rest } = await korob(['leads', 'list']);
    expect(rest).toEqual(done);
    expect(stdout.replace(/\t\S+Z\t/g, ' ')).toBe('2 quarantined\t+79161234567\tСпамер\n1 new\t+79161234567\tАнна\n');
  });

  test('are exported as CSV, those in quarantine too, no faster than the reader reads', async () => {
    await keep(folder, [{ message: '=1+1' }, { quarantined: true }, ...Array(20).fill({})]);
    let [ahead, all] = [0, ''];
    const stdout: Writable = new Writable({
      highWaterMark: 1,
      async write(chunk, _encoding, ready) {
        all += chunk;
        await turn();
        ahead = Math.max(ahead, stdout.writableLength);
        ready();
      },
    });
    expect(await run(['leads', 'export'], { env: { DATA_DIR: folder }, stdout, stderr: memory() })).toBe(0);
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(all.length / 4);
    const { data } = Papa.parse<Record<string, string>>(all.slice(1), { header: true, skipEmptyLines: true });
    const cells = data.map(({ number, state, phone, message }) => [number, state, phone, message]);
    expect(cells).toHaveLength(22);
    expect(cells[0]).toEqual(['1', 'new', '+79161234567', "'=1+1"]);
    expect(cells[1]?.slice(0, 2)).toEqual(['2', 'quarantined']);
  });

  test('are no success when the output fails', async () => {
    await keep(folder, [{}]);
    const stdout = new Writable({ write: (_chunk, _encoding, ready) => ready(new Error('ENOSPC: no space left')) });
    const stderr = memory();
    expect(await run(['leads', 'export'], { env: { DATA_DIR: folder }, stdout, stderr })).toBe(1);
    expect(stderr.text()).toBe('ENOSPC: no space left\n');
  });
});

test('desk makes links to it that are kept as hashes alone, and ends those of a name, or all', async () => {
  await keep(folder, [{}]);
  const desk = (...args: string[]) => korob(['desk', ...args], { SITE_URL: 'https://korob.example' });
  const linkOf = (secret: string) => withStore(folder, ({ links }) => links.find(secret));
  const made = async (...args: string[]) => {
    const { code, stdout, stderr } = await desk('link', ...args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^https:\/\/korob\.example\/desk\/link\/[\w-]{43}\n$/)]);
    expect(stderr).toMatch(/^Until .*Z, whoever has it sees all leads; /);
    return stdout.trim().slice(-43);
  };
  const [anna, boris] = [await made('Анна'), await made(" О'Нил А.-2 ", '--days', '30')];
  for (const [secret, name, days] of [
    [anna, 'Анна', 7],
    [boris, "О'Нил А.-2", 30],
  ] as const) {
    const { until = '', ...link } = (await linkOf(secret)) ?? {};
    expect([link, Math.round((Date.parse(until) - Date.now()) / 86_400_000)]).toEqual([{ lead: null, name }, days]);
  }
  const database = new DatabaseSync(databasePath(folder));
  expect(JSON.stringify(database.prepare('SELECT * FROM link').all())).not.toMatch(new RegExp(`${anna}|${boris}`));
  database.close();

  const ended = { stdout: '', stderr: 'The links to the desk for Анна have ended.\n' };
  expect(await desk('revoke', 'Анна')).toEqual({ code: 0, ...ended });
  expect([await linkOf(anna), await linkOf(boris)]).toEqual([undefined, expect.anything()]);
  expect(await desk('revoke', 'Анна')).toMatchObject({ code: 1, stderr: 'There is no link to the desk for Анна.\n' });
  expect(await desk('revoke', '--all')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^All links .* have ended/),
  });
  expect(await linkOf(boris)).toBeUndefined();
});

test('broadcast is switched on, till a time of today if told so, and off', async () => {
  await keep(folder, []);
  const broadcast = (...args: string[]) =>
    korob(['broadcast', ...args], {
      VIDEO_HOSTS: 'rutube.ru, VkVideo.ru',
      BROADCAST_API_BASE: 'https://api.example/v1',
    });
  const status = async () => (await broadcast('status')).stdout;
  expect(await status()).toBe('off\n');
  const { code, stderr } = await broadcast('on', 'https://vk.com/video-1_2');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^The site asks https:\/\/api\.example\/v1 .*\n$/)]);
  expect(await status()).toBe('on https://vkvideo.ru/video_ext.php?oid=-1&id=2\n');

  const { timeZone } = currentContent(loadConfig({ DATA_DIR: folder })).company.workingHours;
  const today = (time: string) => instant(localTime(new Date(), timeZone).date, time, timeZone);
  await atMoment(today('12:00'), async () => {
    const on = (until: string) => broadcast('on', 'https://video.example/live', '--until', until);
    const past = expect.stringContaining('--until must be a time of today that is still to come');
    expect(await on('12:00')).toMatchObject({ code: 2, stderr: past });
    const unseen = expect.stringContaining('VIDEO_HOSTS must have video.example.\n');
    expect(await on('23:59')).toMatchObject({ code: 0, stderr: unseen });
    expect(await status()).toBe(`on https://video.example/live until ${new Date(today('23:59')).toISOString()}\n`);
  });
  expect(await broadcast('off')).toMatchObject({ code: 0, stdout: '' });
  expect(await status()).toBe('off\n');
});

describe('new', () => {
  test('writes a file, overwrites none, nor takes the address of an article in another category', async () => {
    const content = contentFolder();
    const create = (category: string) =>
      korob(['new', 'article', 'Как', 'меряем', '--category', category], { CONTENT_DIR: content });
    const [category = '', another = ''] = readdirSync(join(content, 'blog'));
    const file = join(content, `blog/${category}/kak-meryaem.md`);
    expect((await create(category)).stdout).toBe(`${file}\n`);
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('heading: "Как меряем"');
    for (const one of [category, another]) {
      const stderr = expect.stringContaining(`blog/${category}/kak-meryaem.md уже есть`);
      expect(await create(one)).toMatchObject({ code: 1, stderr });
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(join(content, `blog/${another}/kak-meryaem.md`))).toBe(false);
  });
});

const article = fileIn('blog/articles');
const append = (text: string) => (before: string) => `${before.trimEnd()}\n\n${text}\n`;
const linesOf = (file: string) => readFileSync(join(paths.content, file), 'utf8').trimEnd().split('\n').length;

describe('check', () => {
  const check = (changes: Record<string, Change>, ...flags: string[]) =>
    korob(['check', ...flags], { CONTENT_DIR: contentFolder(changes) });

  shippedTest('of content that is in order says so, and strictly too', async () => {
    // Old dates are warned of, so all of them become today's.
    const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    const dated = (text: string) => text.replace(/\b(updated|checked|effective): \d{4}-\d\d-\d\d/g, `$1: ${today}`);
    const files = [...readFolder(paths.content)].flatMap(([name, { bytes }]): [string, Change][] =>
      dated(String(bytes())) === String(bytes()) ? [] : [[name, dated]],
    );
    const stderr = expect.stringMatching(/^Всё в порядке, страниц: \d+\.\n$/);
    expect(await check(Object.fromEntries(files), '--strict')).toEqual({ code: 0, stdout: '', stderr });
  });

  test('lists warnings by file and line, which only --strict takes for a failure', async () => {
    const changes = { [article]: append('Сдайте груз в cрок') };
    const { code, stdout, stderr } = await check(changes);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`${article}:${linesOf(article) + 2}: замечание: В слове «cрок»`),
    ]);
    expect(stderr).toMatch(/^Замечаний: \d+, страниц: \d+\.\n$/);
    const strict = await check(changes, '--strict');
    expect(strict).toEqual({ code: 1, stdout, stderr: expect.stringMatching(/^Ошибок: 0, замечаний: \d+\.\n$/) });
  });

  test('fails for errors, which come before the warnings, also of what is left of the invented company', async () => {
    const [text, redirects] = [linesOf(article), linesOf('redirects.yaml')];
    const rows = ['/one, to: /two', '/two, to: /rates', '/a, to: /b', '/b, to: /a'];
    const { code, stdout, stderr } = await check({
      'company.yaml': valued({ demo: false, slogan: 'Всё своё' }),
      [article]: append('# Ещё раз\n\nООО «Короб»\nна склад, [цены](/tariffs#marking).'),
      'redirects.yaml': append(rows.map((row) => `- { from: ${row} }`).join('\n')),
    });
    const errors = stdout.split('\n').filter((line) => /^\S+:\d+: (?!замечание)/.test(line));
    expect(errors).toEqual([
      expect.stringMatching(`^${article}:${text + 2}: Один знак # у заголовка всей страницы`),
      `${article}:${text + 5}: «/tariffs#marking» переехал. Сошлитесь сразу на /rates.`,
      `redirects.yaml:${redirects + 2}: «/two» переехал. Сошлитесь сразу на /rates.`,
      `redirects.yaml:${redirects + 4}: «/b» переехал. Сошлитесь сразу на /a.`,
      `redirects.yaml:${redirects + 5}: «/a» переехал. Сошлитесь сразу на /b.`,
    ]);
    expect(stdout.lastIndexOf(errors.at(-1) ?? '')).toBeLessThan(stdout.indexOf(': замечание: '));
    expect(stdout).toContain(`${article}:${text + 4}: замечание: «ООО «Короб» есть только у компании из образца`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Ошибок: 5, замечаний: \d+\.\n$/)]);
  });
});

test('publish says what differs for visitors, what is doubtful and what has moved, and --back takes it back', async () => {
  const news = readFileSync(join(paths.content, fileIn('news')), 'utf8');
  const post = fielded('heading', 'Склад в Твери')(fielded('title', 'Склад в Твери')(fielded('id', '9001')(news)));
  const line = '- { from: /about/novosti/tver, to: /about/novosti/tver-sklad }';
  const contentOf = (slug: string, changes: Record<string, Change> = {}) => ({
    CONTENT_DIR: contentFolder({ [`news/${slug}.md`]: () => post, ...changes }),
  });
  const publish = (content: Record<string, string>, ...flags: string[]) => korob(['publish', ...flags], content);
  const warningsIn = (said: string) => said.split('\n').filter((line) => /^\S+:\d+: замечание: /.test(line));

  const first = contentOf('tver');
  const nothing = expect.stringContaining('nothing to return to');
  expect(await publish(first, '--back')).toEqual({ code: 1, stdout: '', stderr: nothing });
  const { stderr } = await publish(first);
  expect(stderr).toMatch(/^Published \d+ pages, \d+ of which differ\.$/m);

  const second = contentOf('tver-sklad', {
    'pages/about.md': fielded('heading', 'Кто мы'),
    [article]: append('В cрок.'),
  });
  const changed = await publish(second);
  const about = expect.stringMatching(/^changed \/about$/m);
  expect(changed).toMatchObject({ code: 0, stdout: about });
  expect(changed.stderr.split('\n')).toContain(line);
  const warnings = warningsIn((await korob(['check'], second)).stdout);
  expect(warnings.join('\n')).toContain('В слове «cрок»');
  // Of what was published already, the warnings are told again, and nothing else.
  const again = await publish(second);
  expect([again.code, again.stdout]).toEqual([0, '']);
  for (const { stderr } of [changed, again]) expect(warningsIn(stderr)).toEqual(warnings);

  const wrong = await publish(contentOf('tver', { [article]: append('## Конец\n\n#### Мелко') }));
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(': Заголовок пропускает ступень.')]);
  expect(await publish(second, '--back')).toMatchObject({ code: 0, stdout: about });
  const redirected = await publish(contentOf('tver-sklad', { 'redirects.yaml': append(line) }));
  expect([redirected.code, redirected.stderr]).toEqual([0, expect.not.stringContaining('redirects.yaml:\n')]);
}, 60_000);

describe('what is not understood exits with 2, with one sentence and the usage', () => {
  test.each([
    [[], 'Which command?'],
    [['nonsense'], 'There is no command "nonsense".'],
    [['leads', 'nonsense'], 'There is no command "leads nonsense".'],
    [['leads', 'list', '--nonsense'], "Unknown option '--nonsense'"],
    [['leads', 'list', '--limit', '0'], '--limit must be a whole number from 1.'],
    [['leads', 'list', '7'], '"7" is one argument too many.'],
    [['leads', 'show'], 'NUMBER is missing.'],
    [['leads', 'show', '1e3'], 'NUMBER must be a whole number from 1.'],
    [['broadcast', 'on', 'javascript:alert(1)'], 'javascript:alert(1) is no http or https address.'],
    [['desk', 'link', 'Анна', '--days', '93'], '--days must be 92 at most.'],
    ...['  ', 'desk:Анна', '<b>', 'ы'.repeat(41), '-Анна'].map((name): [string[], string] => {
      return [['desk', 'link', '--', name], 'NAME must be up to 40 letters'];
    }),
    [['desk', 'revoke'], 'NAME is missing.'],
    [['desk', 'revoke', 'Анна', '--all'], '"Анна" is one argument too many.'],
    [['new', 'artcle', 'Кружки'], `Вида «artcle» нет. Есть: ${newKinds.join(', ')}.`],
    [['new', 'article', 'Кружки', '--category', 'none'], 'Рубрики «none» нет. Есть: '],
    [['new', 'article', '—'], 'Нужен заголовок с буквами'],
    [['new', 'article'], 'TITLE is missing.'],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await korob(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(sentence)).toBe(true);
    expect(stderr).toMatch(/\nUsage: node dist\/cli\.js COMMAND\n|"--help" lists the commands\.\n$/);
    expect(existsSync(databasePath(folder))).toBe(false);
  });
});

describe('a failure exits with 1 and says what to do', () => {
  test('in a folder that no server has used', async () => {
    const stderr = `There is no ${databasePath(folder)}: no server has run with this DATA_DIR; set DATA_DIR to the server's.\n`;
    expect(await korob(['leads', 'export'])).toEqual({ code: 1, stdout: '', stderr });
    expect(existsSync(databasePath(folder))).toBe(false);
  });

  test('with an environment that cannot be used', async () => {
    const { code, stderr } = await korob(['leads', 'list'], { PORT: 'x', TRUST_PROXY: 'true' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/ {2}PORT: a port.*\n {2}TRUST_PROXY: a number of proxies/);
  });
});

test('--help lists every command, and for one command only that', async () => {
  const listed = async (...args: string[]) => {
    const { stdout, ...rest } = await korob(args);
    expect(rest).toEqual(done);
    return stdout.match(/^ {2}\w.*/gm);
  };
  expect(await listed('--help')).toEqual(expect.arrayContaining(['  leads show NUMBER', '  broadcast off']));
  expect(await listed('help')).toEqual(await listed('--help'));
  expect(await listed('leads', 'show', '--help')).toEqual(['  leads show NUMBER']);
});

describe('as a process', () => {
  function start(...args: string[]) {
    const child = spawn(process.execPath, [paths.commands, ...args], { env: { ...process.env, DATA_DIR: folder } });
    const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
    return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
  }

  test('gives its exit code', async () => {
    expect(await start('leads', 'nonsense').ended).toMatchObject({ code: 2 });
  });

  test('ends quietly when its reader goes away', async () => {
    await keep(folder, Array(10).fill({ message: 'ы'.repeat(100_000) }));
    const { child, ended } = start('leads', 'export');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toEqual(done);
  });

  test.each([paths.main, paths.commands])('%s says which Node it needs to one that is older', async (program) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '24.14.9' });`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, program, 'backup', 'file'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^This needs Node\.js 24\.15 or later/)]);
    // The first Node with ES modules can parse it.
    const code = readFileSync(program, 'utf8');
    const asIn = async (target: string) => (await transform(code, { format: 'esm', target })).code;
    expect(await asIn('node12.20')).toBe(await asIn('esnext'));
  });
});

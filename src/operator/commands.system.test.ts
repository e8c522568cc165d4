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
import { run } from '../cli.ts';
import type { Link } from '../leads/store/links.ts';
import { databasePath } from '../leads/store/sqlite.ts';
import { dayMs, localTime } from '../lib/calendar.ts';
import { paths } from '../lib/paths.ts';
import { instant } from '../model/working-hours.ts';
import { readFolder } from '../reading/content-files.ts';
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

describe('leads that are exported', () => {
  test('are written no faster than the reader reads', async () => {
    await keep(folder, Array(20).fill({}));
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
    expect(all.match(/\+79161234567/g)).toHaveLength(20);
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(all.length / 4);
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
    const { stdout } = await desk('link', ...args);
    expect(stdout).toMatch(/^https:\/\/korob\.example\/desk\/link\/[\w-]{43}\n$/);
    return stdout.trim().slice(-43);
  };
  const [anna, boris] = [await made('Анна'), await made(" О'Нил А.-2 ", '--days', '30')];
  const lasting = async (secret: string) => {
    const { lead, name, until } = (await linkOf(secret)) as Link;
    return [lead, name, Math.round((Date.parse(until) - Date.now()) / dayMs)];
  };
  expect([await lasting(anna), await lasting(boris)]).toEqual([
    [null, 'Анна', 7],
    [null, "О'Нил А.-2", 30],
  ]);
  const database = new DatabaseSync(databasePath(folder));
  expect(JSON.stringify(database.prepare('SELECT * FROM link').all())).not.toMatch(new RegExp(`${anna}|${boris}`));
  database.close();

  expect(await desk('revoke', 'Анна')).toMatchObject({ code: 0 });
  expect([await linkOf(anna), await linkOf(boris)]).toEqual([undefined, expect.anything()]);
  expect(await desk('revoke', 'Анна')).toMatchObject({ code: 1, stderr: 'There is no link to the desk for Анна.\n' });
  expect(await desk('revoke', '--all')).toMatchObject({ code: 0 });
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
  await broadcast('off');
  expect(await status()).toBe('off\n');
});

test('new writes a file, overwrites none, nor takes the address of an article in another category', async () => {
  const content = contentFolder();
  const [category = '', another = ''] = readdirSync(join(content, 'blog'));
  const create = (category: string, ...words: string[]) =>
    korob(['new', 'article', 'Как', ...words, '--category', category], { CONTENT_DIR: content });
  const file = join(content, `blog/${category}/kak-meryaem.md`);
  expect((await create(category, 'меряем')).stdout).toBe(`${file}\n`);
  const before = readFileSync(file, 'utf8');
  expect(before).toContain('heading: "Как меряем"');
  for (const one of [category, another]) {
    const stderr = expect.stringContaining(`blog/${category}/kak-meryaem.md уже есть`);
    expect(await create(one, 'мерЯем')).toMatchObject({ code: 1, stderr });
  }
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(existsSync(join(content, `blog/${another}/kak-meryaem.md`))).toBe(false);
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
    const { code, stdout } = await check(changes);
    const warning = `${article}:${linesOf(article) + 2}: замечание: В слове «cрок»`;
    expect([code, stdout]).toEqual([0, expect.stringContaining(warning)]);
    const stderr = expect.stringMatching(/^Ошибок: 0, замечаний: \d+\.\n$/);
    expect(await check(changes, '--strict')).toEqual({ code: 1, stdout, stderr });
  });

  test('fails for errors, which come before the warnings, also of what is left of the invented company', async () => {
    const [text, redirects] = [linesOf(article), linesOf('redirects.yaml')];
    const { code, stdout, stderr } = await check({
      'company.yaml': valued({ demo: false, slogan: 'Всё своё' }),
      [article]: append('ООО «Короб»\nна склад, [цены](/tariffs#marking).'),
      'redirects.yaml': append('- { from: /a, to: /b }\n- { from: /b, to: /a }'),
    });
    const errors = stdout.split('\n').filter((line) => /^\S+:\d+: (?!замечание)/.test(line));
    expect(errors).toEqual([
      `${article}:${text + 3}: «/tariffs#marking» переехал. Сошлитесь сразу на /rates.`,
      `redirects.yaml:${redirects + 2}: «/b» переехал. Сошлитесь сразу на /a.`,
      `redirects.yaml:${redirects + 3}: «/a» переехал. Сошлитесь сразу на /b.`,
    ]);
    expect(stdout.startsWith(errors.join('\n'))).toBe(true);
    expect(stdout).toContain(`${article}:${text + 2}: замечание: «ООО «Короб» есть только у компании из образца`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Ошибок: 3, замечаний: \d+\.\n$/)]);
  });
});

test('publish says what is doubtful and which old addresses lead nowhere', async () => {
  const news = readFileSync(join(paths.content, fileIn('news')), 'utf8');
  const post = fielded('heading', 'Склад в Твери')(fielded('title', 'Склад в Твери')(fielded('id', '9001')(news)));
  const line = '- { from: /about/novosti/tver, to: /about/novosti/tver-sklad }';
  const publish = (slug: string, changes: Record<string, Change> = {}) =>
    korob(['publish'], { CONTENT_DIR: contentFolder({ [`news/${slug}.md`]: () => post, ...changes }) });

  expect((await publish('tver')).stderr).toMatch(/^Published \d+ pages, 0 of which differ\.$/m);
  const doubtful = { [article]: append('В cрок.') };
  const moved = await publish('tver-sklad', doubtful);
  expect(moved.stdout).toMatch(/^added \/about\/novosti\/tver-sklad$/m);
  expect(moved.stderr.split('\n')).toContain(line);
  // Of what was published already, the warnings are told again.
  const again = await publish('tver-sklad', doubtful);
  expect(again.stdout).toBe('');
  for (const { stderr } of [moved, again]) expect(stderr).toContain('замечание: В слове «cрок»');

  await publish('tver');
  const redirected = await publish('tver-sklad', { 'redirects.yaml': append(line) });
  expect([redirected.code, redirected.stderr]).toEqual([0, expect.not.stringContaining('redirects.yaml:\n')]);
}, 60_000);

describe('what is not understood exits with 2, with one sentence and the usage', () => {
  test.each([
    [[], 'Which command?'],
    [['leads', 'nonsense'], 'There is no command "leads nonsense".'],
    [['leads', 'list', '--nonsense'], "Unknown option '--nonsense'"],
    [['leads', 'show'], 'NUMBER is missing.'],
    [['leads', 'show', '1e3'], 'NUMBER must be a whole number from 1.'],
    [['broadcast', 'on', 'javascript:alert(1)'], 'javascript:alert(1) is no http or https address.'],
    [['desk', 'link', 'Анна', '--days', '93'], '--days must be 92 at most.'],
    [['desk', 'link', 'desk:Анна'], 'NAME must be up to 40 letters'],
    [['desk', 'link', 'ы'.repeat(41)], 'NAME must be up to 40 letters'],
    [['desk', 'revoke', 'Анна', '--all'], '"Анна" is one argument too many.'],
    [['new', 'artcle', 'Кружки'], 'Вида «artcle» нет. Есть: '],
    [['new', 'article', 'Кружки', '--category', 'none'], 'Рубрики «none» нет. Есть: '],
    [['new', 'article', '—'], 'Нужен заголовок с буквами'],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await korob(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(sentence)).toBe(true);
    expect(stderr).toMatch(/\nUsage: node dist\/cli\.js COMMAND\n|"--help" lists the commands\.\n$/);
    expect(existsSync(databasePath(folder))).toBe(false);
  });
});

test('in a folder that no server has used, a command exits with 1, says what to do and makes nothing', async () => {
  const stderr = expect.stringContaining(`There is no ${databasePath(folder)}: no server has run with this DATA_DIR`);
  expect(await korob(['leads', 'export'])).toEqual({ code: 1, stdout: '', stderr });
  expect(existsSync(databasePath(folder))).toBe(false);
});

test('--help lists every command, and for one command only that', async () => {
  const listed = async (...args: string[]) => (await korob(args)).stdout.match(/^ {2}\w.*/gm);
  expect(await listed('--help')).toEqual(expect.arrayContaining(['  leads show NUMBER', '  broadcast off']));
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
    expect(await ended).toEqual({ code: 0, stderr: '' });
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

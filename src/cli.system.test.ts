import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import Papa from 'papaparse';
import { run } from './cli.ts';
import type { NewLead } from './leads/store/lead.ts';
import { databasePath } from './leads/store/sqlite.ts';
import { paths } from './lib/paths.ts';
import { keep, korob as korobIn, memory } from './testing/commands.ts';
import { newLead } from './testing/leads.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const korob = (args: string[], env: Record<string, string> = {}) => korobIn(folder, args, env);

function store(...leads: Partial<NewLead>[]): Promise<void> {
  return keep(
    folder,
    leads.map((lead) => ({ ...lead, quarantined: lead.signals !== undefined })),
  );
}

const done = { code: 0, stderr: '' };

describe('leads list', () => {
  beforeEach(() => store({ name: 'Анна' }, { name: 'Спамер', signals: ['honeypot'] }, { name: 'Борис' }));

  test('writes a line a lead, the newest first', async () => {
    const { stdout } = await korob(['leads', 'list']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines.map(([number, , state, , name]) => [number, state, name])).toEqual([
      ['3', 'new', 'Борис'],
      ['2', 'quarantined', 'Спамер'],
      ['1', 'new', 'Анна'],
    ]);
    expect(lines[0]?.[3]).toBe('+79161234567');
  });

  test('without leads writes nothing but a note', async () => {
    folder = temporaryFolder();
    await store();
    expect(await korob(['leads', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'There are none.\n' });
  });
});

describe('leads show', () => {
  beforeEach(() => store({ name: 'Анна' }));

  test('shows one lead, whole, as JSON', async () => {
    const { stdout, ...rest } = await korob(['leads', 'show', '1']);
    expect(rest).toEqual(done);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ number: 1, name: 'Анна', phoneTyped: '8 (916) 123-45-67 доб. 12', deliveries: [] },
    });
  });

  test('of a number that is not there fails', async () => {
    const { code, stdout, stderr } = await korob(['leads', 'show', '2']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('There is no lead 2; "leads list" shows which there are.\n');
  });
});

describe('leads export', () => {
  beforeEach(() => store({ message: '=1+1' }, { signals: ['no-origin'] }));

  test('writes all leads as CSV, those in quarantine too', async () => {
    const { stdout, ...rest } = await korob(['leads', 'export']);
    expect(rest).toEqual(done);
    const { data } = Papa.parse<Record<string, string>>(stdout.slice(1), { header: true, skipEmptyLines: true });
    expect(data).toMatchObject([
      { number: '1', state: 'new', phone: '+79161234567', message: "'=1+1" },
      { number: '2', state: 'quarantined' },
    ]);
  });

  test('writes all leads as JSON lines', async () => {
    const { stdout } = await korob(['leads', 'export', '--json']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).message),
    ).toEqual(['=1+1', newLead().message]);
  });

  test('writes no faster than the reader reads', async () => {
    await store(...Array.from({ length: 300 }, (_, n) => ({ key: `key-of-many-${n}` })));
    let ahead = 0;
    const slow: Writable = new Writable({
      highWaterMark: 1,
      async write(_chunk, _encoding, ready) {
        await turn();
        ahead = Math.max(ahead, slow.writableLength);
        ready();
      },
    });
    expect(await run(['leads', 'export'], { env: { DATA_DIR: folder }, stdout: slow, stderr: memory() })).toBe(0);
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(2_000);
  });

  test('fails when the output does', async () => {
    const full = new Writable({ write: (_chunk, _encoding, ready) => ready(new Error('ENOSPC: no space left')) });
    const stderr = memory();
    expect(await run(['leads', 'export'], { env: { DATA_DIR: folder }, stdout: full, stderr })).toBe(1);
    expect(stderr.text()).toBe('ENOSPC: no space left\n');
  });
});

describe('broadcast', () => {
  beforeEach(() => store());

  test('is switched on and off', async () => {
    expect(await korob(['broadcast', 'status'])).toEqual({ ...done, stdout: 'off\n' });
    const hosts = { VIDEO_HOSTS: 'rutube.ru, Video.example' };
    expect(await korob(['broadcast', 'on', 'https://video.example/live'], hosts)).toEqual({ ...done, stdout: '' });
    expect(await korob(['broadcast', 'status'])).toEqual({ ...done, stdout: 'on https://video.example/live\n' });
    expect(await korob(['broadcast', 'off'])).toEqual({ ...done, stdout: '' });
    expect(await korob(['broadcast', 'status'])).toEqual({ ...done, stdout: 'off\n' });
  });

  test('ends at a time of today by the clock of the company, which must be to come', async () => {
    const on = ['broadcast', 'on', 'https://video.example/live', '--until'];
    for (const wrong of ['00:00', '18:30:00', 'завтра'])
      expect(await korob([...on, wrong])).toMatchObject({
        ...{ code: 2, stderr: expect.stringContaining('--until must be a time of today that is still to come') },
      });
    expect((await korob(['broadcast', 'status'])).stdout).toBe('off\n');
    // In the last minute of the day in Moscow no later time is left.
    if (new Date().toISOString().slice(11, 16) === '20:59') return;
    expect((await korob([...on, '23:59'])).code).toBe(0);
    expect((await korob(['broadcast', 'status'])).stdout).toMatch(
      /^on https:\/\/video\.example\/live until \d{4}-\d\d-\d\dT20:59:00.000Z\n$/,
    );
  });

  test('says when pages may not show it', async () => {
    const { code, stderr } = await korob(['broadcast', 'on', 'https://video.example/live'], {
      VIDEO_HOSTS: 'rutube.ru',
    });
    expect(code).toBe(0);
    expect(stderr).toBe(
      'The site links to https://video.example/live and does not show it: ' +
        'it must be https, and VIDEO_HOSTS must have video.example.\n',
    );
  });

  test('takes the player of a page', async () => {
    const [page, player] = ['https://vk.com/video-1_2', 'https://vkvideo.ru/video_ext.php?oid=-1&id=2'];
    expect(await korob(['broadcast', 'on', page], { VIDEO_HOSTS: 'vkvideo.ru' })).toEqual({
      ...done,
      stdout: '',
    });
    expect(await korob(['broadcast', 'status'])).toEqual({ ...done, stdout: `on ${player}\n` });
  });

  test('says when the site does not look at it', async () => {
    const { code, stderr } = await korob(['broadcast', 'off'], { BROADCAST_API_BASE: 'https://api.example/v1' });
    expect(code).toBe(0);
    expect(stderr).toContain('The site asks https://api.example/v1 (BROADCAST_API_BASE)');
  });
});

describe('what is not understood exits with 2, with one sentence and the usage', () => {
  test.each([
    [[], 'Which command?'],
    [['nonsense'], 'There is no command "nonsense".'],
    [['leads'], 'There is no command "leads".'],
    [['leads', 'nonsense'], 'There is no command "leads nonsense".'],
    [['leads', 'list', '--nonsense'], "Unknown option '--nonsense'"],
    [['leads', 'list', '--limit'], "Option '--limit <value>' argument missing"],
    [['leads', 'list', '--limit', '0'], '--limit must be a whole number from 1.'],
    [['leads', 'list', '--limit', '1e3'], '--limit must be a whole number from 1.'],
    [['leads', 'list', '7'], '"7" is one argument too many.'],
    [['leads', 'show'], 'NUMBER is missing.'],
    [['leads', 'show', 'seven'], 'NUMBER must be a whole number from 1.'],
    [['leads', 'show', '1', '2'], '"2" is one argument too many.'],
    [['broadcast', 'on'], 'URL is missing.'],
    [['broadcast', 'on', 'javascript:alert(1)'], 'javascript:alert(1) is no http or https address.'],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await korob(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(sentence)).toBe(true);
    expect(stderr).toMatch(/\nUsage: node dist\/cli\.js COMMAND\n|"--help" lists the commands\.\n$/);
    expect(existsSync(databasePath(folder))).toBe(false);
  });
});

describe('failures exit with 1 and say what to do', () => {
  test('leads of a folder that no server has used', async () => {
    expect(await korob(['leads', 'export'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no ${databasePath(folder)}: no server has run with this DATA_DIR; set DATA_DIR to the server's.\n`,
    });
    expect(existsSync(databasePath(folder))).toBe(false);
  });

  test('a database that is none', async () => {
    writeFileSync(databasePath(folder), 'no database at all, but long enough to be read as one '.repeat(50));
    const { code, stderr } = await korob(['leads', 'list']);
    expect(code).toBe(1);
    expect(stderr).toContain('the file is no database; move it away or correct DATA_DIR');
  });

  test('an environment that cannot be used', async () => {
    const { code, stderr } = await korob(['leads', 'list'], { PORT: 'x' });
    expect(code).toBe(1);
    expect(stderr).toContain('  PORT: a port');
  });
});

describe('--help', () => {
  test('lists every command, and for one command only that', async () => {
    const all = await korob(['--help']);
    expect(all).toMatchObject(done);
    for (const name of ['leads list', 'leads show NUMBER', 'leads export', 'broadcast on URL', 'broadcast off']) {
      expect(all.stdout).toContain(`\n  ${name}`);
    }
    expect((await korob(['help'])).stdout).toBe(all.stdout);
    expect((await korob(['leads', 'show', '--help'])).stdout).not.toContain('leads list');
  });
});

describe('as a process', () => {
  function start(args: string[]) {
    const child = spawn(process.execPath, [paths.commands, ...args], { env: { ...process.env, DATA_DIR: folder } });
    return { child, ended: once(child, 'close').then(([code]) => Number(code)), stderr: text(child.stderr) };
  }

  test('gives its exit code', async () => {
    expect(await start(['leads', 'list']).ended).toBe(1);
    expect(await start(['leads', 'nonsense']).ended).toBe(2);
    await store({});
    const { child, ended } = start(['leads', 'export', '--json']);
    expect(JSON.parse(await text(child.stdout))).toMatchObject({ number: 1 });
    expect(await ended).toBe(0);
  });

  test('ends quietly when its reader goes away', async () => {
    await store(...Array.from({ length: 2_000 }, (_, n) => ({ key: `key-of-many-${n}`, message: 'ы'.repeat(2_000) })));
    const { child, ended, stderr } = start(['leads', 'export']);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toBe(0);
    expect(await stderr).toBe('');
  });

  test.each([paths.main, paths.commands])('%s says which Node it needs to one that is older', async (program) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '24.14.9' });`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, program, 'backup', 'file'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^This needs Node\.js 24\.15 or later/)]);
    // The first Node with ES modules can parse it.
    const text = readFileSync(program, 'utf8');
    const asIn = async (target: string) => (await transform(text, { format: 'esm', target })).code;
    expect(await asIn('node12.20')).toBe(await asIn('esnext'));
  });
});

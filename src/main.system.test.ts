import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { storedIn as leadsIn } from './faults/testing.ts';
import { paths } from './lib/paths.ts';
import { readPublished } from './site/revisions.ts';
import { browserHeaders } from './testing/ask.ts';
import { siteUrl } from './testing/built.ts';
import { korob } from './testing/commands.ts';
import { contentFolder, fileIn, shippedTest, valued } from './testing/content.ts';
import { eventually } from './testing/eventually.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { filledForm } from './testing/test-site.ts';

const start = (env: NodeJS.ProcessEnv = {}, args: readonly string[] = []) => startServerProcess(env, { args });

async function kill({ child, exited }: ServerProcess): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

async function refusal(env: NodeJS.ProcessEnv): Promise<string> {
  const server = await start(env).catch((error: Error) => error.message);
  if (typeof server !== 'string') throw new Error('The server has started.');
  return server;
}

const shippedCompany = readFileSync(join(paths.content, 'company.yaml'), 'utf8');
const [, shippedName = ''] = /^name: (.*)$/m.exec(shippedCompany) ?? [];
const companyNamed = (name: string) => valued({ demo: false, name, slogan: `${name} и его дела` });
/** With `demo` off. */
const contentOf = (company: string) => contentFolder({ 'company.yaml': companyNamed(company) });

async function companyOf({ url }: ServerProcess): Promise<string | undefined> {
  return /\| ([^<]*)<\/title>/.exec(await (await fetch(url)).text())?.[1];
}

async function buildOf({ url }: ServerProcess): Promise<string> {
  return JSON.parse(await (await fetch(`${url}/builds/latest.json`)).text()).id;
}

type Line = { level: number; msg: string; route?: string; err?: { message: string } };
const linesOf = (server: ServerProcess): Line[] =>
  server
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const formOf = (message: string) => new URLSearchParams({ ...filledForm, message }).toString();

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function storedIn(dataDir: string): Map<string, string> {
  const { integrity, leads } = leadsIn(dataDir);
  expect(integrity).toBe('ok');
  return new Map([...leads].map(([receipt, { message }]) => [receipt, message]));
}

function halfAForm(server: ServerProcess) {
  const body = formOf('В пути');
  const sent = request({
    port: server.port,
    host: '127.0.0.1',
    path: '/contact',
    method: 'POST',
    agent: false,
    headers: { ...browserHeaders, ...formType, 'content-length': body.length },
  });
  const answer = new Promise<{ status: number | undefined; location: string | undefined }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode, location: response.headers.location });
    });
  });
  sent.write(body.slice(0, 50));
  return { answer, finish: () => sent.end(body.slice(50)) };
}

type Dripped = { text: string; seconds: number };

/** Sends a piece every half second until the connection ends. */
function drip(server: ServerProcess, [start, more]: Drips, connected = () => {}): Promise<Dripped> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    let dripping: NodeJS.Timeout | undefined;
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(start, connected);
      dripping = setInterval(() => socket.write(more), 500);
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      clearInterval(dripping);
    });
    // What is cut off while it sends is reset.
    socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || reject(error));
    socket.on('close', () => {
      clearInterval(dripping);
      resolve({ text, seconds: (performance.now() - begun) / 1000 });
    });
  });
}

type Drips = readonly [start: string, more: string];

const agent = `User-Agent: ${browserHeaders['user-agent']}\r\n`;
const headerDrips: Drips = [`GET / HTTP/1.1\r\nHost: localhost\r\n${agent}`, 'X-More: a\r\n'];
const bodyDrips: Drips = [
  `POST /contact HTTP/1.1\r\nHost: localhost\r\n${agent}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n`,
  'a',
];

/** Slow checks run beside the other tests; the last tests await them. */
let patient: ServerProcess;
let stubborn: ServerProcess;
let crowded: ServerProcess;
let dripped: Promise<PromiseSettledResult<Dripped>[]>;
let crowd: Promise<PromiseSettledResult<Awaited<ReturnType<typeof dripByTheThousand>>>[]>;
let stopped: Promise<PromiseSettledResult<{ code: number | null; seconds: number; stored: number }>[]>;

beforeAll(async () => {
  [patient, stubborn, crowded] = await Promise.all([start(), start(), start()]);
  dripped = Promise.allSettled([drip(patient, headerDrips), drip(patient, bodyDrips)]);
  crowd = Promise.allSettled([dripByTheThousand(crowded)]);
  stopped = Promise.allSettled([stopWithAGuestWhoNeverFinishes(stubborn)]);
});

async function dripByTheThousand(server: ServerProcess) {
  const connections = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
  const before = connections();
  let connected = 0;
  let ended = 0;
  const drippers = Array.from({ length: 1_000 }, async (_, number) => {
    const drips = number % 10 === 0 ? bodyDrips : headerDrips;
    const { text } = await drip(server, drips, () => {
      connected += 1;
    });
    ended += 1;
    return text.slice(0, text.indexOf('\r\n'));
  });
  while (connected < drippers.length) await sleep(20);
  const others: number[] = [];
  for (const path of ['/', '/rates', '/contact', '/readyz']) others.push((await fetch(server.url + path)).status);
  const form = { method: 'POST', redirect: 'manual', headers: { ...browserHeaders, ...formType } } as const;
  others.push((await fetch(`${server.url}/contact`, { ...form, body: formOf('Между каплями') })).status);
  const endedMeanwhile = ended;
  const answers = await Promise.all(drippers);
  // Some are keep-alive connections of the other requests.
  await eventually(() => connections() - before < 10, true, 'the connections of those who drip are closed');
  return { others, endedMeanwhile, answers };
}

async function stopWithAGuestWhoNeverFinishes(server: ServerProcess) {
  const guest = halfAForm(server);
  guest.answer.catch(() => {}); // The connection is cut.
  await sleep(200);
  const begun = performance.now();
  server.child.kill('SIGTERM');
  const code = await server.exited;
  return { code, seconds: (performance.now() - begun) / 1000, stored: storedIn(server.dataDir).size };
}

describe('a process that cannot do its work does not start', () => {
  test('with a bad environment, it names every bad variable', async () => {
    const said = await refusal({
      PORT: '80000',
      TRUST_PROXY: 'true',
      SITE_URL: 'korob.example',
      BROADCAST_API_BASE: 'ftp://user:canary@example.com',
      VIDEO_HOSTS: 'rutube.ru, https://video.example/',
      LOG_LEVEL: 'loud',
    });
    expect(said).toMatch(/^The server ended with 1 /);
    for (const name of ['PORT', 'TRUST_PROXY', 'SITE_URL', 'BROADCAST_API_BASE', 'VIDEO_HOSTS', 'LOG_LEVEL'])
      expect(said).toContain(`  ${name}: `);
    expect(said).not.toMatch(/\n\s+at |canary/);
  });

  test('with an empty variable, it takes the variable for absent', async () => {
    const server = await start({ LOG_LEVEL: '', TRUST_PROXY: '', BROADCAST_API_BASE: '' });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  test('with a port that is taken, it says so', async () => {
    const said = await refusal({ PORT: String(patient.port) });
    expect(said).toMatch(/^The server ended with 1 /);
    expect(said).toContain(`EADDRINUSE`);
    expect(said).not.toMatch(/\n\s+at /);
  });
});

describe('wrong content keeps no process from starting', () => {
  const wrong = () => {
    const said: string[] = [];
    const spoilt = (file: string, from: RegExp, to: string) => (text: string) => {
      const written = text.replace(from, to);
      said.push(`${file}:${written.split('\n').findIndex((line) => line.includes(to)) + 1}: `);
      return written;
    };
    const [company, service] = ['company.yaml', fileIn('services')];
    const folder = contentFolder({
      [company]: spoilt(company, /^email: .*$/m, 'email: никакой'),
      [service]: spoilt(service, /^order: .*$/m, 'order: шестой'),
    });
    return {
      folder,
      said: [
        'Опубликовать нельзя, ошибок: 2.',
        `${said[0]}email: «никакой» не подходит. Нужен адрес почты, например info@example.ru.`,
        `${said[1]}order: «шестой» не подходит. Нужно число: одни цифры, дробная часть после точки.`,
      ],
    };
  };
  const complaint = (server: ServerProcess) => {
    const errors = linesOf(server).filter(({ level }) => level >= 50);
    for (const { msg } of errors) expect(msg).toContain('what was shown before it is shown instead');
    return errors[0]?.msg ?? '';
  };

  test('what ships is served instead, and the log names file, line and field', async () => {
    const { folder, said } = wrong();
    const server = await start({ CONTENT_DIR: folder });
    expect(await companyOf(server)).toBe(shippedName);
    for (const one of said) expect(complaint(server)).toContain(one);
  });

  test('the same where the folder is none, and at another address of the site', async () => {
    const server = await start({ CONTENT_DIR: '/nowhere/content', SITE_URL: 'https://korob.example' });
    expect(await companyOf(server)).toBe(shippedName);
    expect(await (await fetch(`${server.url}/sitemap.xml`)).text()).toContain('<loc>https://korob.example/rates</loc>');
    expect(complaint(server)).toContain('/nowhere/content');
  });

  test('what was published before is served, whatever the folder holds', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ CONTENT_DIR: contentOf('Сундук'), DATA_DIR: dataDir });
    await eventually(() => readPublished(paths.published(dataDir)).current !== null);
    await kill(first);
    const again = await start({ CONTENT_DIR: wrong().folder, DATA_DIR: dataDir });
    expect(await companyOf(again)).toBe('Сундук');
    expect(complaint(again)).toBe('');
  }, 60_000);
});

describe('a process that works', () => {
  shippedTest('says once that the company is an invented one, and that nobody is told of leads', async () => {
    const warnings = linesOf(patient).filter(({ level }) => level >= 40);
    expect(warnings).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining('company.yaml') }),
      expect.objectContaining({ level: 40, msg: expect.stringContaining('nobody is told of leads') }),
    ]);
  });

  test('serves what ships, or content of its own', async () => {
    const [content, dataDir] = [contentOf('Сундук'), temporaryFolder()];
    const webhook = {
      LEADS_WEBHOOK_URL: 'http://127.0.0.1:9/',
      LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    };
    const own = await start({ CONTENT_DIR: content, DATA_DIR: dataDir, ...webhook });
    expect(await companyOf(own)).toBe('Сундук');
    expect(linesOf(own).filter(({ level }) => level >= 40)).toEqual([]);
    expect(await buildOf(own)).not.toBe(await buildOf(patient));
  }, 60_000);

  test('publishes what it begins with, and goes on with that until something else is published', async () => {
    const [content, dataDir] = [contentOf('Сундук'), temporaryFolder()];
    const first = await start({ CONTENT_DIR: content, DATA_DIR: dataDir });
    await eventually(() => readPublished(paths.published(dataDir)).current !== null);
    await kill(first);

    writeFileSync(join(content, 'company.yaml'), companyNamed('Ларец')(shippedCompany));
    const again = await start({ CONTENT_DIR: content, DATA_DIR: dataDir });
    expect(await companyOf(again)).toBe('Сундук');
    expect((await korob(dataDir, ['publish'], { CONTENT_DIR: content })).code).toBe(0);
    await eventually(() => companyOf(again), 'Ларец');
  }, 60_000);

  test('takes over what is published while it runs, without an interruption', async () => {
    const server = await start();
    const publish = (folder: string) =>
      promisify(execFile)(process.execPath, [paths.commands, 'publish'], {
        env: { CONTENT_DIR: folder, DATA_DIR: server.dataDir, SITE_URL: siteUrl },
      });
    expect(await companyOf(server)).toBe(shippedName);
    await publish(contentOf('Сундук'));
    await eventually(() => companyOf(server), 'Сундук');
    expect(server.output()).toContain('a new site is served');
  }, 60_000);

  test('writes nothing of what visitors send to its output', async () => {
    const server = await start({ LOG_LEVEL: 'trace' });
    const headers = {
      ...browserHeaders,
      ...formType,
      referer: `${server.url}/?canary=1`,
      'sec-fetch-site': 'same-origin',
    };
    const send = (body: string) =>
      fetch(`${server.url}/contact?canary=2`, { method: 'POST', redirect: 'manual', headers, body });
    const stored = await send(`${formOf('canary').replace('%D0%90', 'Canary')}&website=canary`);
    expect(stored.status).toBe(303);
    expect((await send('phone=canary&name=canary&message=canary')).status).toBe(422);
    expect((await send('canary'.repeat(50_000))).status).toBe(413);
    const receipt = stored.headers.get('location') ?? '';
    for (const path of [receipt, '/canary', '/canary/', '/contact?phone=canary'])
      await fetch(server.url + path, { headers: browserHeaders });
    expect(server.output()).toContain('"msg":"request"');
    expect(server.output()).not.toMatch(/canary|9161234567/i);
    expect(server.output()).not.toContain(receipt.slice('/contact/'.length));
  });
});

test('what an operator says of a broadcast is told to visitors and scripts, and outlives the process', async () => {
  const server = await start();
  const tell = (...state: string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR: server.dataDir };
    execFileSync(process.execPath, [paths.commands, 'broadcast', ...state], { env, stdio: 'ignore' });
  };
  const video = 'https://video.example/live';
  const told = async (url: string) => {
    const [page, state] = await Promise.all([fetch(`${url}/broadcast`), fetch(`${url}/video-broadcast`)]);
    return [(await page.text()).includes(`href="${video}"`), (await state.text()).includes(video)];
  };
  expect(await told(server.url)).toEqual([false, false]);
  tell('on', video);
  await eventually(() => told(server.url), [true, true]);

  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  const next = await start({ DATA_DIR: server.dataDir });
  expect(await told(next.url)).toEqual([true, true]);
  tell('off');
  await eventually(() => told(next.url), [false, false]);
  expect(server.output() + next.output()).not.toContain('broadcast state');
});

test('what nobody catches is the last line of the log, with its stack and its cause, and ends the process', async () => {
  const failing = `process.on('SIGUSR2', () => { throw new Error('canary', { cause: new Error('reason') }); });`;
  const server = await start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(failing)}` });
  server.child.kill('SIGUSR2');
  expect(await server.exited).toBe(1);
  const last = JSON.parse(server.output().trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({
    level: 60,
    origin: 'uncaughtException',
    err: { message: expect.stringContaining('canary') },
  });
  expect(last.err.stack).toMatch(/Error: canary\n\s+at [\s\S]*caused by: Error: reason\n\s+at /);
});

describe('SIGTERM', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s: unready, answers what was begun, and ends well', async (signal) => {
    const server = await start();
    const guest = halfAForm(server);
    await sleep(100);
    const begun = performance.now();
    server.child.kill(signal);
    server.child.kill(signal);
    const seen: number[] = [];
    let page: Response | undefined;
    for (;;) {
      const ready = await fetch(`${server.url}/readyz`).catch(() => undefined);
      if (ready === undefined) break; // It has stopped listening.
      seen.push(ready.status);
      if (ready.status === 503) page ??= await fetch(`${server.url}/rates`);
      await sleep(20);
    }
    expect(seen.at(-1)).toBe(503);
    expect([page?.status, page?.headers.get('connection')]).toEqual([200, 'close']);

    guest.finish();
    const { status, location } = await guest.answer;
    expect(status).toBe(303);
    expect(await server.exited).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect([...storedIn(server.dataDir)]).toEqual([[location, 'В пути']]);
    expect(linesOf(server).map(({ msg }) => msg)).toEqual(expect.arrayContaining(['draining', 'stopped']));
    const errors = linesOf(server).filter(({ level }) => level >= 50);
    expect(errors.filter(({ route }) => route !== '/readyz')).toEqual([]);
  });
});

describe('a visitor who drips', () => {
  test('headers is told so after 10 seconds, and a body after 20; others are served meanwhile', async () => {
    const [headers, body] = await dripped;
    if (headers?.status !== 'fulfilled' || body?.status !== 'fulfilled')
      throw new Error(JSON.stringify([headers, body]));
    for (const { text } of [headers.value, body.value]) expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(headers.value.seconds).toBeGreaterThan(9);
    expect(headers.value.seconds).toBeLessThan(15);
    expect(body.value.seconds).toBeGreaterThan(19);
    expect(body.value.seconds).toBeLessThan(26);
    expect((await fetch(`${patient.url}/rates`)).status).toBe(200);
    expect(linesOf(patient).filter(({ level }) => level >= 50)).toEqual([]);
  }, 30_000);

  test('a thousand times over keeps nobody else from being served, and is cut as often', async () => {
    const [seen] = await crowd;
    if (seen?.status !== 'fulfilled') throw seen?.reason;
    const { others, endedMeanwhile, answers } = seen.value;
    expect(others).toEqual([200, 200, 200, 200, 303]);
    // On a slow machine the first connections end before all are open.
    expect(endedMeanwhile).toBeLessThan(500);
    // A piece that arrives during the cut may be parsed as a malformed request.
    const timeouts = answers.filter((line) => line === 'HTTP/1.1 408 Request Timeout');
    expect(answers.filter((line) => !/^(HTTP\/1\.1 (408|400) .*)?$/.test(line))).toEqual([]);
    expect(timeouts.length).toBeGreaterThan(answers.length / 2);
    expect(linesOf(crowded).filter(({ level }) => level >= 50)).toEqual([]);
  }, 60_000);

  test('does not hold up the end of the process for more than 10 seconds', async () => {
    const [end] = await stopped;
    if (end?.status !== 'fulfilled') throw new Error(JSON.stringify(end));
    expect(end.value).toEqual({ code: 0, seconds: expect.any(Number), stored: 0 });
    expect(end.value.seconds).toBeGreaterThan(1);
    expect(end.value.seconds).toBeLessThan(10);
  });
});

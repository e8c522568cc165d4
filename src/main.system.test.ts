import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { openDatabase } from './leads/store/sqlite.ts';
import { storedBroadcast } from './leads/store/stored-broadcast.ts';
import { paths } from './lib/paths.ts';
import { question, storedIn } from './tests/faults/testing.ts';
import { ask, browserHeaders } from './tests/support/ask.ts';
import { atEnd } from './tests/support/at-end.ts';
import { eventually } from './tests/support/eventually.ts';
import { freePort } from './tests/support/free-port.ts';
import { listen } from './tests/support/listen.ts';
import { contentFolder, valued } from './tests/support/sample-content.ts';
import { type ServerProcess, startServerProcess } from './tests/support/server-process.ts';
import { sharedPostgres } from './tests/support/start-postgres.ts';
import { startTcpProxy } from './tests/support/tcp-proxy.ts';
import { temporaryFolder } from './tests/support/temporary-folder.ts';
import { testIf } from './tests/support/test-if.ts';

const shippedTest = testIf({ shipped: true });

const ours = contentFolder({
  'company.yaml': valued({ sample: [], name: 'Сундук', slogan: 'Сундук и его дела' }),
});
const wrong = contentFolder({ 'company.yaml': (text) => text.replace(/^email: .*$/m, 'email: никакой') });
const lacking = contentFolder({ 'pages/contacts.md': () => undefined });
const onAir = temporaryFolder();
const database = openDatabase(onAir);
await storedBroadcast(database).set({ status: true, url: 'https://elsewhere.example/live' });
await database.close();
const failure = `
  process.on('SIGUSR2', () => { throw new Error('canary', { cause: new Error('reason') }); });
  process.on('SIGHUP', () => { Promise.reject(new Error('alone')); });`;

const [plain, own, failing] = await Promise.all([
  startServerProcess({ LOG_LEVEL: '', TRUST_PROXY: '', BROADCAST_API_BASE: '' }),
  startServerProcess({
    CONTENT_DIR: ours,
    SITE_URL: 'https://korob.example',
    TRUST_PROXY: '1',
    LEADS_WEBHOOK_URL: 'http://127.0.0.1:9/',
    LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  }),
  startServerProcess({
    DATA_DIR: onAir,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(failure)}`,
  }),
]);

const textAt = async ({ port }: ServerProcess, path: string) => (await ask(port, path)).text;
const companyOf = async (server: ServerProcess) => /\| ([^<]*)<\/title>/.exec(await textAt(server, '/'))?.[1];

type Line = { level: number; msg: string; route?: string };
const linesOf = (server: ServerProcess): Line[] =>
  server
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const complaintsOf = (server: ServerProcess) => linesOf(server).filter(({ level }) => level >= 40);

shippedTest('the server warns once that the content is the sample, and that no channel is configured', () => {
  expect(complaintsOf(plain).map(({ level, msg }) => [level, msg])).toEqual([
    [40, expect.stringContaining('company.yaml')],
    [40, expect.stringContaining('no lead channel configured')],
  ]);
});

test('the server uses the configured content, address and proxy without a warning', async () => {
  expect(await companyOf(own)).toBe('Сундук');
  expect(await textAt(own, '/sitemap.xml')).toContain('<loc>https://korob.example/rates</loc>');
  expect((await ask(own.port, '/')).headers).toHaveProperty('x-accel-expires');
  expect((await ask(plain.port, '/')).headers).not.toHaveProperty('x-accel-expires');
  expect(complaintsOf(own)).toEqual([]);
});

test('the server warns once when a proxy forwards requests and TRUST_PROXY is 0', async () => {
  const warnings = () => complaintsOf(plain).filter(({ msg }) => msg.startsWith('TRUST_PROXY'));
  const forwarded = (path: string) => ask(plain.port, path, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  await ask(plain.port, '/');
  expect(warnings()).toEqual([]);
  for (const path of ['/', '/rates', '/contact']) await forwarded(path);
  await eventually(() => warnings().map(({ level }) => level), [40]);
  await ask(own.port, '/', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(complaintsOf(own)).toEqual([]);
});

test('the server warns at its start when VIDEO_HOSTS lacks the host of the current broadcast', async () => {
  const said = () => complaintsOf(failing).filter(({ msg }) => msg.includes('VIDEO_HOSTS must have elsewhere.example'));
  await eventually(() => said().map(({ level }) => level), [40]);
});

test('a rejected promise that nothing waits for is logged, and the server goes on', async () => {
  failing.child.kill('SIGHUP');
  await eventually(() => complaintsOf(failing).some(({ level, msg }) => level === 50 && msg === 'unhandled rejection'));
  expect((await ask(failing.port, '/search?q=korob')).status).toBe(200);
});

test('a log that cannot be written ends no server', async () => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const env = { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: temporaryFolder() };
  const child = spawn(process.execPath, [paths.main], { env, stdio: ['ignore', full, 'inherit'] });
  closeSync(full);
  atEnd(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const statusOf = (path: string) =>
    ask(port, path).then(
      ({ status }) => status,
      () => child.exitCode,
    );
  await eventually(() => statusOf('/search?q=korob'), 200);
  expect(await statusOf('/search?q=sklad')).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

testIf({ programs: ['postgres'] })('a server waits for its database, says so, and then serves', async () => {
  const postgres = await sharedPostgres();
  const [port, url] = [await freePort(), await postgres.newDatabase()];
  const said = Promise.withResolvers<Line>();
  const starting = startServerProcess({ DATABASE_URL: url.replace(/:\d+\//, `:${port}/`) }, ({ stdout }) => {
    stdout?.on('data', (chunk) => {
      const [line] = String(chunk).match(/.*waiting for the database.*/) ?? [];
      if (line) said.resolve(JSON.parse(line));
    });
  });
  expect(await said.promise).toMatchObject({
    level: 50,
    err: { message: expect.stringContaining('the connection was refused') },
  });
  await startTcpProxy(postgres.port, port);
  expect((await ask((await starting).port, '/readyz')).status).toBe(200);
});

test('an uncaught exception ends the process, and is the last line of the log, with stack and cause', async () => {
  failing.child.kill('SIGUSR2');
  expect(await failing.exited).toBe(1);
  expect(linesOf(failing).at(-1)).toMatchObject({
    level: 60,
    origin: 'uncaughtException',
    err: { stack: expect.stringMatching(/Error: canary\n\s+at [\s\S]*caused by: Error: reason\n\s+at /) },
  });
});

/** Sends the beginning of a request. */
function begin({ port }: ServerProcess, line: string, headers: Record<string, string>) {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const named = Object.entries({ host: 'localhost', ...browserHeaders, ...headers });
  socket.write(`${line} HTTP/1.1\r\n${named.map((header) => `${header.join(': ')}\r\n`).join('')}`);
  return {
    socket,
    async finish(rest: string) {
      socket.write(rest);
      await once(socket, 'close');
      return answer;
    },
  };
}

test.each([
  ['SIGTERM', plain],
  ['SIGINT', own],
] as const)('on %s the server fails readiness, completes open requests, and exits with 0', async (signal, server) => {
  const ready = begin(server, 'GET /readyz', {});
  const body = new URLSearchParams(question('В пути')).toString();
  const form = begin(server, 'POST /contact', {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
    connection: 'close',
    expect: '100-continue',
  });
  form.socket.write('\r\n');
  await once(form.socket, 'data');
  server.child.kill(signal);
  server.child.kill(signal);
  await eventually(() => linesOf(server).some(({ msg }) => msg === 'draining'));

  expect(await ready.finish('\r\n')).toMatch(/^HTTP\/1\.1 503 .*^Connection: close\r$/ms);
  await eventually(
    () =>
      ask(server.port, '/healthz').then(
        ({ status }) => status,
        ({ code }) => code,
      ),
    'ECONNREFUSED',
  );
  const answer = await form.finish(body);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /m);
  expect(await server.exited).toBe(0);
  const { integrity, leads } = storedIn(server.dataDir);
  const location = /^Location: (.*)\r$/m.exec(answer)?.[1];
  expect([integrity, [...leads].map(([receipt, { message }]) => [receipt, message])]).toEqual([
    'ok',
    [[location, 'В пути']],
  ]);
  expect(linesOf(server).at(-1)?.msg).toBe('stopped');
  expect(complaintsOf(server).filter(({ level, route }) => level >= 50 && route !== '/readyz')).toEqual([]);
});

const badEnvironment = {
  PORT: '80000',
  TRUST_PROXY: 'true',
  SITE_URL: 'korob.example',
  BROADCAST_API_BASE: 'ftp://user:canary@example.com',
  VIDEO_HOSTS: 'rutube.ru, https://video.example/',
  LOG_LEVEL: 'loud',
};

const taken = String(await listen(createServer()));
const otherBuild = temporaryFolder();
const otherTables = openDatabase(otherBuild);
await otherTables.query('ALTER TABLE lead DROP COLUMN details');
await otherTables.close();

test.each<[string, NodeJS.ProcessEnv, string[]]>([
  ['an invalid environment', badEnvironment, Object.keys(badEnvironment).map((name) => `\n  ${name}: `)],
  ['a port in use', { PORT: taken }, [`PORT: ${taken} is taken by another process; end that one`]],
  ['an address of another machine', { HOST: '192.0.2.1' }, ['HOST: this machine cannot listen on 192.0.2.1 ']],
  ['the tables of another build', { DATA_DIR: otherBuild }, ['StoreError: ', 'details']],
  ['no content', { CONTENT_DIR: '/nowhere' }, ['CONTENT_DIR: /nowhere has no company.yaml']],
  [
    'content that lacks a page which this release needs',
    { CONTENT_DIR: lacking },
    [`CONTENT_DIR: ${lacking} lacks pages/contacts.md, which this release needs; correct it`],
  ],
  [
    'invalid content',
    { CONTENT_DIR: wrong },
    [`CONTENT_DIR: ${wrong} cannot be shown by this release; correct it`, 'company.yaml:', 'email: «никакой»'],
  ],
])('with %s the server does not start, and explains the problem', async (_, env, said) => {
  const end = await startServerProcess(env).catch(String);
  expect(end).toMatch(/The server ended with 1 /);
  for (const words of said) expect(end).toContain(words);
  expect(end).not.toMatch(/\n\s+at |canary/);
});

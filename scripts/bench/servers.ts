import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformSync } from 'esbuild';
import { paths } from '../../src/lib/paths.ts';
import { freePort } from '../../src/testing/free-port.ts';
import { installed } from './installed.ts';

type Command = {
  /** Node, unless it is another. */
  program?: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Whether what it starts must end with it, because it does not see to that itself. */
  group?: boolean;
};

/** A command line for a server on a given port of the loopback interface. */
export type ServerKind = {
  name: string;
  command(port: number): Command | Promise<Command>;
};

/** It is asked to end, and waited for, where a scope ends that uses it. */
export type RunningServer = AsyncDisposable & {
  port: number;
  pid: number;
  /** Milliseconds from the call that makes the process to the head of a 200. */
  started: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

export type Peers = {
  ours: ServerKind;
  bare: ServerKind;
  /** The same as CommonJS: an `import` of `node:http` loads a client that a `require` leaves alone. */
  leanest: ServerKind;
  folder: string;
  /** Of the home page. */
  etag: string;
};

const acceptsBrotli = { 'Accept-Encoding': 'br' };
const hasTaskset = installed('taskset', '-V');

/** None of them may outlive the measuring, even if it fails. */
const running = new Set<ChildProcess>();
const groups = new Set<number>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const pid of groups) process.kill(-pid, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Process ids of the servers that were started and not yet stopped. */
export function runningServers(): number[] {
  return [...running].flatMap(({ pid }) => pid ?? []);
}

/** The command line on one CPU, where that can be had: a server and its load then do not take turns. */
export function onCpu(cpu: number, line: readonly string[]): string[] {
  return hasTaskset ? ['taskset', '-c', String(cpu), ...line] : [...line];
}

/**
 * The production server with a database in `dataDir`.
 *
 * @param env what else it is told
 * @param main the program, if it is not the one that was built
 */
export function production(dataDir: string, env: NodeJS.ProcessEnv = {}, main: string = paths.main): ServerKind {
  return {
    name: 'ours',
    command: (port) => ({
      args: [main],
      // The address that the build prerenders for; the rate limit must tell visitors apart.
      env: {
        PORT: String(port),
        HOST: '127.0.0.1',
        SITE_URL: 'http://localhost:3000',
        DATA_DIR: dataDir,
        TRUST_PROXY: '1',
        ...env,
      },
    }),
  };
}

/**
 * Our server, and a bare one that sends the very bytes which ours sends for the home page.
 *
 * @param folder for all that is written
 * @throws if the two answer differently
 */
export async function makePeers(folder: string): Promise<Peers> {
  const ours = production(join(folder, 'var'));
  const first = await start(ours);
  const answer = await ask(first.port, acceptsBrotli);
  await first.stop();

  const bodyFile = join(folder, 'home.br');
  writeFileSync(bodyFile, answer.body);
  const headers = answer.headers.filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name.toLowerCase()));
  const bareServer = (name: string, format: 'esm' | 'cjs'): ServerKind => {
    // As JavaScript, because taking the types away would cost the bare server time and memory at its start.
    const script = join(folder, name);
    const source = readFileSync(join(import.meta.dirname, 'bare-server.ts'), 'utf8');
    writeFileSync(script, transformSync(source, { loader: 'ts', format }).code);
    const args = (port: number) => [script, String(port), bodyFile, JSON.stringify(headers.flat())];
    return { name, command: (port) => ({ args: args(port), env: {} }) };
  };
  const bare = bareServer('bare-server.mjs', 'esm');
  const leanest = bareServer('bare-server.cjs', 'cjs');

  const second = await start(bare);
  const same = await ask(second.port, acceptsBrotli);
  await second.stop();
  if (comparable(same) !== comparable(answer)) {
    throw new Error(`The two servers answer differently:\n${comparable(answer)}\n${comparable(same)}`);
  }
  const etag = answer.headers.find(([name]) => name.toLowerCase() === 'etag')?.[1];
  if (etag === undefined) throw new Error('The home page has no ETag, so nothing can be asked about it again.');
  return { ours, bare, leanest, folder, etag };
}

/**
 * Starts a server and waits until it has answered its first request.
 *
 * @param cpu the only one that it may use
 * @param under a program that runs the server, such as a tracer, with its arguments
 * @param at the port, if it is not just any
 */
export async function start(
  kind: ServerKind,
  { cpu, under = [], at }: { cpu?: number; under?: readonly string[]; at?: number } = {},
): Promise<RunningServer> {
  const port = at ?? (await freePort());
  const { program = process.execPath, args, env, cwd, group = false } = await kind.command(port);
  const line = [...under, program, ...args];
  const [command = '', ...rest] = cpu === undefined ? line : onCpu(cpu, line);
  const begun = performance.now();
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, ...env },
    cwd,
    detached: group,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  if (group && child.pid) groups.add(child.pid);
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve(void running.delete(child))));
  const status = await firstAnswer(port, child);
  const started = performance.now() - begun;
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (child.pid && groups.delete(child.pid)) process.kill(-child.pid, signal);
    else child.kill(signal);
    await exited;
  };
  if (child.pid === undefined || status !== 200) {
    await stop();
    throw new Error(`${kind.name}: the first answer of ${line.join(' ')} was ${status}, not 200.`);
  }
  return { port, pid: child.pid, started, stop, [Symbol.asyncDispose]: () => stop('SIGTERM') };
}

/** Asks until the server listens. A millisecond between two tries leaves it the processor. */
async function firstAnswer(port: number, child: ChildProcess): Promise<number> {
  for (;;) {
    const ending = child.exitCode ?? child.signalCode;
    if (ending !== null) throw new Error(`The server ended with ${ending} before it served.`);
    try {
      const answer = await get(port, acceptsBrotli);
      answer.destroy();
      return answer.statusCode ?? 0;
    } catch (error) {
      if (!(Error.isError(error) && 'code' in error && error.code === 'ECONNREFUSED')) throw error;
      await sleep(1);
    }
  }
}

/** Asks for the home page. Resolves at the first bytes of an answer. */
async function get(port: number, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const asked = { host: '127.0.0.1', port, agent: false, headers: { host: 'localhost:3000', ...headers } };
  const [answer] = (await once(request(asked).end(), 'response')) as [IncomingMessage];
  return answer;
}

type RawAnswer = { status: number; headers: [string, string][]; body: Buffer };

/** One answer, unpacked. */
export async function ask(port: number, headers: OutgoingHttpHeaders): Promise<RawAnswer> {
  // Otherwise servers would not tell how long they keep a connection.
  const answer = await get(port, { connection: 'keep-alive', ...headers });
  const body = Buffer.concat(await answer.toArray());
  answer.destroy();
  const raw = answer.rawHeaders;
  const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
  return { status: answer.statusCode ?? 0, headers: pairs, body };
}

function comparable({ status, headers, body }: RawAnswer): string {
  const lines = headers.filter(([name]) => name.toLowerCase() !== 'date').map((header) => header.join(': '));
  return [status, ...lines, '', body.toString('base64')].join('\n');
}

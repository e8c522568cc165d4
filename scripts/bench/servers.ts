import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformSync } from 'esbuild';
import { paths } from '../../src/lib/paths.ts';
import { freePort } from '../../src/testing/free-port.ts';

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

export type RunningServer = {
  port: number;
  pid: number;
  /** Milliseconds from the call that makes the process to the first byte of a 200. */
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

const acceptsBrotli = 'Accept-Encoding: br\r\n';
const hasTaskset = spawnSync('taskset', ['-V']).status === 0;

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
  return { port, pid: child.pid, started, stop };
}

/** Asks until the server listens. A millisecond between two tries leaves it the processor. */
async function firstAnswer(port: number, child: ChildProcess): Promise<number> {
  for (;;) {
    const ending = child.exitCode ?? child.signalCode;
    if (ending !== null) throw new Error(`The server ended with ${ending} before it served.`);
    try {
      return await statusOf(port);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error;
      await sleep(1);
    }
  }
}

/** Resolves at the first bytes of an answer. */
function statusOf(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestHead(acceptsBrotli)));
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('The server closed the connection without an answer.')));
    socket.once('data', (bytes: Buffer) => {
      // HTTP/1.1 200 OK
      resolve(Number(bytes.subarray(9, 12)));
      socket.destroy();
    });
  });
}

type RawAnswer = { status: number; headers: [string, string][]; body: Buffer };

/** One answer, unread and unpacked. */
export function ask(port: number, extraHeaders: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(requestHead(extraHeaders)));
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('The answer of the server is not whole.')));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const split = bytes.indexOf('\r\n\r\n');
      if (split === -1) return;
      const [statusLine = '', ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n');
      const headers = lines.map((line): [string, string] => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), line.slice(colon + 2)];
      });
      const status = Number(statusLine.split(' ')[1]);
      const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
      const body = bytes.subarray(split + 4);
      if (status === 200 && body.length < length) return;
      socket.destroy();
      resolve({ status, headers, body });
    });
  });
}

function requestHead(extraHeaders: string): string {
  return `GET / HTTP/1.1\r\nHost: localhost:3000\r\n${extraHeaders}\r\n`;
}

function comparable({ status, headers, body }: RawAnswer): string {
  const lines = headers.filter(([name]) => name.toLowerCase() !== 'date').map((header) => header.join(': '));
  return [status, ...lines, '', body.toString('base64')].join('\n');
}

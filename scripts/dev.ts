import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { messageOf } from '../src/lib/message-of.ts';
import { compiledIn } from '../src/lib/paths.ts';
import { requireContent } from '../src/loading/content-files.ts';
import { compileIfStale } from './compile.ts';

// npm run dev: serves drafts too; restarts and reloads open pages on each change of code or content.

const root = join(import.meta.dirname, '..');
/** Not `dist`, which `npm start` and tests in this checkout run from. */
const outdir = join(root, 'var/dev');
const port = Number(process.env.PORT || 3000);
/** Milliseconds without another change. */
const quiet = 50;

/** Runs in every page; requests fail while the server starts. */
const reload = `
let shown;
setInterval(async () => {
  const served = await fetch('/builds/latest.json').then((answer) => answer.text(), () => shown);
  if (shown !== undefined && served !== shown) location.reload();
  shown = served;
}, 300);`;

let failure = '';
const failurePage = createServer((_req, res) => {
  const text = failure.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  res
    .writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Не собирается</title><pre>${text}</pre><script type="module">${reload}</script>`);
});

function fail(text: string): void {
  failure = text.trim();
  process.stderr.write(`${failure}\n`);
  failurePage.listen(port, '127.0.0.1');
}

let server: ChildProcess | undefined;

async function restart(): Promise<void> {
  try {
    await compileIfStale({ outdir, footer: reload });
    await stop();
    serve();
  } catch (error) {
    await stop();
    fail(messageOf(error));
  }
}

async function stop(): Promise<void> {
  failurePage.close();
  failurePage.closeAllConnections();
  const old = server;
  server = undefined;
  if (old?.kill('SIGKILL')) await once(old, 'close');
}

function serve(): void {
  const env = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...process.env };
  const child = spawn(process.execPath, [compiledIn(outdir).main, '--drafts'], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  server = child;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  // A server that exits has written the reason.
  child.on('close', () => {
    if (server === child) fail(said);
  });
}

const content = resolve(root, process.env.CONTENT_DIR || 'src/content');
try {
  requireContent(content);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

let working = restart();
let timer: NodeJS.Timeout | undefined;
for (const folder of ['src', 'views', 'public', content]) {
  watch(resolve(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(restart);
    }, quiet);
  });
}
process.on('exit', () => server?.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit());
await working;
process.stderr.write(`http://localhost:${port}\n`);

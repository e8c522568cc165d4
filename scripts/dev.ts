import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';

// npm run dev: builds, serves, and does both again on every change of code or content; open pages reload.
// Drafts and posts whose day has not come are shown, marked. What does not build is shown in their place,
// with file and line, until it is mended.

const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT || 3000);
/** Where the server itself listens; visitors come through the one below, which adds the reloading. */
const inner = port + 1;
/** Milliseconds in which several saved files count as one change. */
const settle = 150;

let server: ChildProcess | undefined;
/** The build that goes on, or the last one; whoever asks for a page waits for it. */
let build: Promise<void> | undefined;
let changed = true;
/** What is wrong with the present state of the files; empty if nothing is. */
let failure = '';
/** Open pages, waiting to be told to reload. */
const pages = new Set<ServerResponse>();

async function rebuild(): Promise<void> {
  while (changed) {
    changed = false;
    failure = await run('scripts/build.ts', '--stale', '--preview');
    if (failure || changed) continue;
    if (server?.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    server = serve();
    await listening();
  }
  for (const page of pages) page.write('data: changed\n\n');
}

function onChange(): void {
  changed = true;
  setTimeout(() => {
    if (changed) build = (build ?? Promise.resolve()).then(rebuild);
  }, settle);
}

/** @returns what was said, if it failed */
async function run(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
    process.stderr.write(chunk);
  });
  const [code] = await once(child, 'close');
  return code === 0 ? '' : said;
}

function serve(): ChildProcess {
  const env = { SITE_URL: `http://localhost:${port}`, ...process.env, PORT: String(inner), HOST: '127.0.0.1' };
  return spawn(process.execPath, ['dist/main.js', '--preview'], { cwd: root, stdio: 'inherit', env });
}

async function listening(): Promise<void> {
  while (server?.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${inner}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  failure = 'The server has ended; what it said is in the terminal.';
}

const reloading = `new EventSource('/dev/changes').onmessage = () => location.reload();`;

const front = createServer(async (req, res) => {
  if (req.url === '/dev/changes') {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    pages.add(res);
    req.on('close', () => pages.delete(res));
    return;
  }
  if (req.url === '/dev/reload.js') {
    res.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' }).end(reloading);
    return;
  }
  await build;
  if (failure) return void res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(failurePage());
  pass(req, res);
});

/** Pages go uncompressed and with the script that reloads them; everything else as it is. */
function pass(req: IncomingMessage, res: ServerResponse): void {
  const { 'accept-encoding': _, 'if-none-match': __, ...headers } = req.headers;
  const { url: path, method } = req;
  const passed = request({ host: '127.0.0.1', port: inner, path, method, headers }, async (answer) => {
    if (!answer.headers['content-type']?.startsWith('text/html')) {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
      return;
    }
    const html = (await answer.toArray()).join('');
    const body = html.replace('</head>', '<script type="module" src="/dev/reload.js"></script></head>');
    const { 'content-length': _length, ...others } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, { ...others, 'cache-control': 'no-store' }).end(body);
  });
  passed.on('error', (error) => res.writeHead(502, { 'Content-Type': 'text/plain' }).end(error.message));
  req.pipe(passed);
}

function failurePage(): string {
  const text = failure.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><html lang="ru"><head><title>Не собирается</title><script type="module" src="/dev/reload.js"></script></head><body><h1>Не собирается</h1><pre>${text}</pre></body></html>`;
}

for (const folder of ['src', 'views', 'public']) watch(join(root, folder), { recursive: true }, onChange);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    server?.kill();
    process.exit();
  });
build = rebuild();
front.listen(port, '127.0.0.1', () => process.stderr.write(`http://localhost:${port}\n`));

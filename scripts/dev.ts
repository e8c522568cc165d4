import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { context } from 'esbuild';
import { compileScripts, compileStyles, forNode, writeEntries } from './compile.ts';
import { cutFonts } from './share-fonts.ts';

// npm run dev: previews content with drafts, restarts and reloads on changes, and displays errors in place of pages.

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const port = Number(process.env.PORT || 3000);
const innerPort = port + 1;
const siteUrl = process.env.SITE_URL || `http://localhost:${port}`;
const contentDir = resolve(process.env.CONTENT_DIR || join(root, 'src/content'));
/** Debounce in milliseconds. */
const settle = 30;

const program = await context({
  ...forNode,
  entryPoints: [{ in: join(root, 'src/main.ts'), out: 'main-program' }],
  outdir: dist,
  splitting: true,
});
let generation = 0;
let server: ChildProcess | undefined;
/** Resolves once the latest change is served or has failed. */
let ready: Promise<void> = Promise.resolve();
/** Empty if nothing is wrong. */
let failure = '';
/** Open event streams. */
const pages = new Set<ServerResponse>();

function tellPages(): void {
  for (const page of pages) page.write('data: changed\n\n');
}

async function rebuild(): Promise<void> {
  try {
    const [styles, scripts] = await Promise.all([compileStyles(), compileScripts(), program.rebuild()]);
    generation += 1;
    writeFileSync(join(dist, 'code.json'), JSON.stringify({ id: `dev ${generation}`, styles, scripts }));
    await restart();
  } catch (error) {
    fail(Error.isError(error) ? error.message : String(error));
  }
  tellPages();
}

async function restart(): Promise<void> {
  const old = server;
  if (old && old.exitCode === null) {
    const ended = new Promise((done) => old.once('exit', done));
    old.kill('SIGKILL');
    await ended;
  }
  failure = '';
  // Its log tells when it is up, and its errors.
  const env = { ...process.env, PORT: String(innerPort), HOST: '127.0.0.1', SITE_URL: siteUrl, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [join(dist, 'main.js'), '--drafts'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = child;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await new Promise<void>((served) => {
    createInterface(child.stdout).on('line', (line) => {
      if (readLog(line)) served();
    });
    child.once('exit', () => {
      if (server === child && said) fail(said);
      served();
    });
  });
}

/** @returns whether the server is up */
function readLog(line: string): boolean {
  const { level, msg, err, build } = JSON.parse(line) as Record<string, string | undefined> & {
    level: number;
    err?: { message: string };
  };
  if (level >= 50) fail([msg, err?.message].filter(Boolean).join('\n'));
  else if (build !== undefined) failure = '';
  if (level >= 50 || (build !== undefined && msg !== 'serving')) tellPages();
  return msg === 'serving';
}

function fail(text: string): void {
  failure = text;
  process.stderr.write(`${text.trim()}\n`);
}

let waiting: NodeJS.Timeout | undefined;

function onChange(file: string): void {
  const ofContent = !relative(contentDir, file).startsWith('..');
  // A running server watches the content itself.
  const work = ofContent ? (server?.exitCode === null ? undefined : restart) : rebuild;
  if (work === undefined || /\.test\.tsx?$/.test(file)) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    ready = ready.then(work).then(tellPages);
  }, settle);
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
  await ready;
  if (failure) res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(failurePage());
  else pass(req, res);
});

/** Adds the reload script, so HTML must be uncompressed. */
function pass(req: IncomingMessage, res: ServerResponse): void {
  const { 'accept-encoding': _, 'if-none-match': __, ...headers } = req.headers;
  const { url: path, method } = req;
  const passed = request({ host: '127.0.0.1', port: innerPort, path, method, headers }, async (answer) => {
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

mkdirSync(dist, { recursive: true });
await cutFonts(dist);
writeEntries();
ready = rebuild();
for (const folder of new Set([...['src', 'views', 'public'].map((name) => join(root, name)), contentDir])) {
  watch(folder, { recursive: true }, (_, name) => onChange(join(folder, name ?? '')));
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server?.kill('SIGKILL');
    process.exit();
  });
}
front.listen(port, '127.0.0.1', () => process.stderr.write(`http://localhost:${port}\n`));

import { mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { context } from 'esbuild';
import type { Code } from '../src/edition/code.ts';
import { compileScripts, compileStyles, forNode, hashFolder } from './compile.ts';
import type { DevSite, Memory } from './dev/site.ts';
import { cutFonts } from './share-fonts.ts';

// npm run dev: serves the content as it is written, each page rendered when it is asked for; open pages reload on every
// change of code or content. Drafts and posts whose day has not come are shown, marked. What does not build is shown in
// their place, with file and line, until it is mended.

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const port = Number(process.env.PORT || 3000);
const siteUrl = process.env.SITE_URL || `http://localhost:${port}`;
const contentDir = resolve(process.env.CONTENT_DIR || join(root, 'src/content'));
/** Milliseconds in which several saved files count as one change. */
const settle = 30;

/** What has to be done after a change. */
type Stale = { program: boolean; styles: boolean; scripts: boolean };

const nothing: Stale = { program: false, styles: false, scripts: false };
let stale: Stale = { program: true, styles: true, scripts: true };
let changed = true;
let code: Code = { id: '', styles: { pages: {}, wide: { path: '', text: '' } }, scripts: [] };
let site: { running: DevSite; port: number } | undefined;
let memory: { readBy: string; kept: Memory } | undefined;
/** The build that goes on, or the last one; requests for pages wait for it. */
let build: Promise<void> | undefined;
/** What is wrong with the present state of the files; empty if nothing is. */
let failure = '';
/** Open pages, waiting to be told to reload. */
const pages = new Set<ServerResponse>();

// The half of React that is bundled is made for production, and so must be the one that is not.
process.env.NODE_ENV = 'production';

const program = await context({
  ...forNode,
  entryPoints: [join(root, 'scripts/dev/site.ts')],
  outfile: join(dist, 'dev-site.js'),
  // What others wrote is loaded once, and not anew with each change.
  packages: 'external',
  write: false,
});
let generation = 0;

/** Compiles the site and serves it beside the one that runs; then that one ends. */
async function replaceSite(): Promise<void> {
  const { outputFiles } = await program.rebuild();
  generation += 1;
  // A module is loaded once under one name.
  const file = join(dist, `dev-site-${process.pid}-${generation}.js`);
  writeFileSync(file, outputFiles?.[0]?.contents ?? '');
  const module = (await import(pathToFileURL(file).href)) as typeof import('./dev/site.ts');
  rmSync(file);
  const readBy = ['lib', 'model', 'reading'].map((room) => hashFolder(join(root, 'src', room))).join();
  if (memory?.readBy !== readBy) memory = { readBy, kept: module.newMemory() };
  const innerPort = port + 1 + (generation % 20);
  const running = await module.serveSite(innerPort, siteUrl, code, memory.kept);
  const old = site;
  site = { running, port: innerPort };
  old?.running.stop();
}

async function rebuild(): Promise<void> {
  while (changed) {
    changed = false;
    const due = stale;
    stale = nothing;
    try {
      const [styles, scripts] = await Promise.all([
        due.styles ? compileStyles() : code.styles,
        due.scripts ? compileScripts() : code.scripts,
      ]);
      // What was read of the content is good as long as it would be read in the same way.
      code = { id: memory?.readBy ?? '', styles, scripts };
      if (due.program || site === undefined) await replaceSite();
      else await site.running.reload(code);
      failure = '';
    } catch (error) {
      failure = Error.isError(error) ? error.message : String(error);
      process.stderr.write(`${failure}\n`);
      stale = {
        program: stale.program || due.program,
        styles: stale.styles || due.styles,
        scripts: stale.scripts || due.scripts,
      };
    }
  }
  for (const page of pages) page.write('data: changed\n\n');
}

function onChange(file: string): void {
  const name = relative(root, file);
  const ofContent = !relative(contentDir, file).startsWith('..');
  const ofCode = !ofContent && /^(src|views|public)\//.test(name);
  if (!ofContent && !ofCode) return;
  stale = {
    program: stale.program || (ofCode && !/\.css$|^public\/|^src\/client\/|\.test\.tsx?$/.test(name)),
    styles: stale.styles || (ofCode && /\.(css|tsx)$|^public\//.test(name)),
    scripts: stale.scripts || (ofCode && /^src\/(client|lib|model)\//.test(name)),
  };
  changed = true;
  setTimeout(() => {
    if (changed) build = (build ?? Promise.resolve()).then(rebuild);
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
  await build;
  if (failure || !site)
    return void res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(failurePage());
  pass(req, res, site.port);
});

/** Pages go uncompressed and with the script that reloads them; everything else as it is. */
function pass(req: IncomingMessage, res: ServerResponse, inner: number): void {
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

const watched = new Set([...['src', 'views', 'public'].map((folder) => join(root, folder)), contentDir]);
for (const folder of watched) {
  watch(folder, { recursive: true }, (_, name) => onChange(join(folder, name ?? '')));
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit());
mkdirSync(dist, { recursive: true });
await cutFonts(dist);
build = rebuild();
front.listen(port, '127.0.0.1', () => process.stderr.write(`http://localhost:${port}\n`));

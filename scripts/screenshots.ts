import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ask } from '../src/tests/support/ask.ts';
import { launchBrowser } from '../src/tests/support/launch-browser.ts';
import { startServer } from './server-process.ts';

// npm run screenshots               a page of every kind at three widths, into var/screenshots/
// npm run screenshots -- /rates /   these pages only

const root = join(import.meta.dirname, '..');
const folder = join(root, 'var', 'screenshots');
const widths = [360, 768, 1280];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await using server = await startServer();
const given = process.argv.slice(2);
const wanted = given.length > 0 ? given : await oneOfEachKind();
await using browser = await launchBrowser({ whole: true });
for (const width of widths) {
  const page = await browser.newPage({
    viewport: { width, height: width < 500 ? 740 : 900 },
    // Headless browsers count as bots, which get no error page.
    userAgent: `Mozilla/5.0 (Linux; Android 10) Chrome/${browser.version()} Mobile Safari/537.36`,
    reducedMotion: 'reduce',
  });
  for (const path of wanted) {
    await page.goto(`http://127.0.0.1:${server.port}${path}`, { waitUntil: 'load' });
    // Lazy pictures below the fold would not load.
    await page.evaluate('document.querySelectorAll("img").forEach((img) => (img.loading = "eager"))');
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `${nameOf(path)}-${width}.png`), fullPage: true });
  }
}
process.stderr.write(`${wanted.length * widths.length} screenshots in ${relative(root, folder)}\n`);

async function oneOfEachKind(): Promise<string[]> {
  const { text } = await ask(server.port, '/sitemap.xml');
  const pages = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  const kinds = Map.groupBy(pages, (path) => (dirname(path) === '/' ? path : dirname(path)));
  return [
    ...[...kinds.values()].flatMap((paths) => paths.slice(-1)),
    '/rates/calc?mp=wb&weight=1&length=20&width=10&height=5&to=koledino&units=100',
    `/search?q=${encodeURIComponent('упаковка')}`,
    ...['/contact?preset=request', '/broadcast', '/no-such-page'],
  ];
}

function nameOf(path: string): string {
  return path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home';
}

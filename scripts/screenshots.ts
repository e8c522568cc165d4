import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../src/testing/browser.ts';
import { templates } from '../src/testing/pages.ts';
import { production, start } from './bench/servers.ts';

// npm run screenshots               one page of every kind at three widths, into var/screenshots/
// npm run screenshots -- /rates /   these pages alone

const root = join(import.meta.dirname, '..');
const folder = join(root, 'var', 'screenshots');
const widths = [360, 768, 1280];

const { positionals } = parseArgs({ allowPositionals: true });
const wanted = positionals.length > 0 ? positionals : templates;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'korob-screenshots-'));
const server = await start(production(dataDir));
const browser = await launchBrowser({ whole: true });
try {
  for (const width of widths) {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 740 : 900 },
      // A browser without a window is taken for a bot, which gets no error page.
      userAgent: `Mozilla/5.0 (Linux; Android 10) Chrome/${browser.version()} Mobile Safari/537.36`,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    for (const path of wanted) {
      await page.goto(`http://127.0.0.1:${server.port}${path}`, { waitUntil: 'load' });
      // Pictures below the first screen are loaded only when they come near.
      await page.evaluate('document.querySelectorAll("img").forEach((img) => (img.loading = "eager"))');
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${nameOf(path)}-${width}.png`), fullPage: true });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true });
}
process.stderr.write(`${wanted.length * widths.length} screenshots in ${relative(root, folder)}\n`);

function nameOf(path: string): string {
  return path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home';
}

import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Notification } from '../leads/messages/notification.ts';
import { paths } from '../lib/paths.ts';
import { readCode } from '../site/compiled-code.ts';
import { wholeStyles } from '../site/page-styles.ts';
import type { HttpAnswer } from './support/ask.ts';
import { asForm } from './support/ask.ts';
import { eventually } from './support/eventually.ts';
import { all, type Element, one, parseHtml } from './support/html.ts';
import { pageTemplates } from './support/sample-pages.ts';
import { testIf } from './support/test-if.ts';
import { filledForm, startTestSite } from './support/test-site.ts';

const shippedTest = testIf({ shipped: true });

const notifications: Notification[] = [];
const site = await startTestSite({
  channels: [{ name: 'chat', parallel: 1, deliver: async (some) => void notifications.push(...some) }],
});
const { content } = site.services.site;
const styles = Object.entries(readCode(paths.code).styles).map(([page, rules]) => [page, wholeStyles(rules)] as const);

const laterPages = ['/cases', '/reviews', '/blog', '/about/novosti'].map((list) => `${list}?page=2`);
const forms = content.presets.map(({ slug }) => `/contact?preset=${slug}`);

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
    rules: {
      // Depends on how React serializes HTML.
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'doctype-style': 'off',
      'void-style': 'off',
      // The error summary precedes the h1, so that it is read first.
      'heading-level': ['error', { minInitialRank: 'h2' }],
      // Scripts are served by the site itself.
      'require-sri': ['error', { target: 'crossorigin' }],
      // Checked when editors publish.
      'long-title': 'off',
      // `white-space: nowrap` does this, and keeps the copied number clean.
      'tel-non-breaking': 'off',
    },
  }),
);

/** @param documents HTML by its name; many addresses share the same HTML */
async function invalid(documents: Readonly<Record<string, string>>): Promise<string[]> {
  const names = new Map(Object.entries(documents).map(([name, html]) => [html, name]));
  const found = [...names].map(async ([html, name]) => {
    const { results } = await validator.validateString(html);
    return results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line, column }) => {
        const at = html.split('\n')[line - 1]?.slice(Math.max(0, column - 20), column + 80);
        return `${name}: ${ruleId}: ${message} …${at}…`;
      }),
    );
  });
  return (await Promise.all(found)).flat();
}

test('prerendered pages, pages on demand and error pages are valid HTML', async () => {
  const documents: Record<string, string> = {};
  for (const path of new Set([...site.served.paths, ...pageTemplates, ...laterPages, ...forms, '/%E0%A4%A']))
    documents[path] = (await site.request(path)).text;
  expect(await invalid(documents)).toEqual([]);
});

test('the form with errors, the receipt and the pages to take a lead are valid HTML', async () => {
  const refused = await site.post({ ...filledForm, name: '', phone: '12 "<b>' });
  const sent = await site.post({ ...filledForm, name: 'Анна <b>', message: 'Сколько?\nИ когда?' });
  const receipt = await site.request(sent.headers.location ?? '');
  await eventually(() => notifications.length, 1);
  const link = new URL(notifications[0]?.takeUrl ?? '').pathname;
  const toTake = await site.request(link);
  const taken = await site.request(link, asForm({}, { method: 'POST', headers: {} }));
  expect([refused, receipt, toTake, taken].map(({ status }) => status)).toEqual([422, 200, 200, 200]);
  expect(
    await invalid({ refused: refused.text, receipt: receipt.text, toTake: toTake.text, taken: taken.text }),
  ).toEqual([]);
});

test('pages with third parties are valid HTML', async () => {
  const integrations = { metrikaId: '12345678', mapsApiKey: 'a-key', turnstileSiteKey: 'a-site-key' };
  const visited = await startTestSite({ integrations });
  // Every page has the consent question, and these also have the map or the challenge.
  const documents = ['/', '/contacts', '/contact'].map(async (path) => [path, (await visited.request(path)).text]);
  expect(await invalid(Object.fromEntries(await Promise.all(documents)))).toEqual([]);
});

const asBrowser = { connection: 'keep-alive', 'accept-encoding': 'gzip, deflate, br, zstd' };

/** Returns the size of a whole answer, including the status line and headers. */
function weightOf({ distinct, body, headers }: HttpAnswer): number {
  expect(headers['content-encoding']).toBe('br');
  const lines = Object.entries(distinct).flatMap(([name, values = []]) =>
    values.map((value) => `${name}: ${value}\r\n`),
  );
  return Buffer.byteLength(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`) + body.length;
}

const [firstRoundTrip, medianPage] = [14_600, 9.6 * 1024];

/** Returns the bytes of an answer. A page that is too big with fast compression is compressed well first. */
async function weigh(path: string, smallEnough: number, { request, served } = site): Promise<number> {
  const quickly = weightOf(await request(path, { headers: asBrowser }));
  if (quickly <= smallEnough) return quickly;
  await served.find(path)?.prepare();
  return weightOf(await request(path, { headers: asBrowser }));
}

shippedTest(
  'the first view of every page fits into one round trip, and into 60 KB with its pictures on a phone',
  async () => {
    const weights: { path: string; bytes: number; withPictures: number }[] = [];
    const sizes = new Map<string, number>();
    for (const path of [...site.served.paths, ...laterPages, ...forms]) {
      const bytes = await weigh(path, medianPage);
      const document = parseHtml((await site.request(path)).text);
      const pictures = new Set(all(document, 'picture').map(shownOnPhone));
      for (const picture of pictures) {
        if (sizes.has(picture)) continue;
        const answer = await site.request(picture, { headers: asBrowser });
        expect([path, picture, answer.status]).toEqual([path, picture, 200]);
        sizes.set(picture, answer.body.length);
      }
      const withPictures = [...pictures].reduce((sum, picture) => sum + (sizes.get(picture) ?? 0), bytes);
      weights.push({ path, bytes, withPictures });
    }
    weights.sort((a, b) => a.bytes - b.bytes);
    expect(weights.filter(({ bytes, withPictures }) => bytes > firstRoundTrip || withPictures > 60_000)).toEqual([]);
    expect(weights[Math.floor(weights.length / 2)]?.bytes).toBeLessThanOrEqual(medianPage);
  },
);

/** Returns the picture that a browser with AVIF shows at 360 px and double density. */
function shownOnPhone(picture: Element): string {
  const [source] = all(picture, 'source');
  const files = (source?.attrs.srcset ?? '').split(', ').map((entry) => entry.split(' '));
  const width = (descriptor = '0w') => Number.parseInt(descriptor, 10);
  // Page margins are 1 rem on both sides.
  const fitting = files.find(([, descriptor]) => width(descriptor) >= 2 * (360 - 32));
  return (source ? (fitting ?? files.at(-1)) : undefined)?.[0] ?? one(picture, 'img').attrs.src ?? '';
}

shippedTest('analytics keeps the first view of every page within one round trip', async () => {
  const counting = await startTestSite({ siteUrl: 'https://korob.example', integrations: { metrikaId: '12345678' } });
  const heavy: [path: string, bytes: number][] = [];
  for (const path of counting.served.paths) {
    const bytes = await weigh(path, firstRoundTrip, counting);
    if (bytes > firstRoundTrip) heavy.push([path, bytes]);
  }
  expect(heavy).toEqual([]);
});

shippedTest('no page has more than 1,100 elements', async () => {
  const many: string[] = [];
  for (const path of new Set([...site.served.paths, ...pageTemplates])) {
    const { length } = all(parseHtml((await site.request(path)).text), '*');
    if (length > 1100) many.push(`${path}: ${length}`);
  }
  expect(many).toEqual([]);
});

test('all fonts together are at most 14 KB, and text is readable while they load', async () => {
  const faces = styles.flatMap(([, css]) => css.match(/@font-face\s*\{[^}]*url\([^}]*\}/g) ?? []);
  expect(faces.filter((face) => !/font-display:\s*(swap|optional|fallback)/.test(face))).toEqual([]);
  const urls = new Set(faces.flatMap((face) => /url\(["']?([^"')]+)/.exec(face)?.[1] ?? []));
  const answers = await Promise.all([...urls].map((url) => site.request(url)));
  expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(14 * 1024);
});

test('media queries for wide windows and print come last in the styles, and no page waits for a stylesheet', async () => {
  const wide = /^(@supports[^{]*\{)?@media[^{]*(min-width: ?(48|64|74)em|forced-colors|print)/;
  for (const [page, css] of styles) {
    const blocks = css.split(/(?<=\}\})(?=@media|@supports)|(?<=\})(?=@media|@supports)/);
    const first = blocks.findIndex((block) => wide.test(block));
    expect([page, first > 0, blocks.slice(first).filter((block) => !wide.test(block))]).toEqual([page, true, []]);
  }
  expect((await site.request('/')).text).not.toMatch(/rel="?stylesheet/);
});

const [script, ...modules] = readCode(paths.code).scripts;
const compressed = (text = '') => brotliCompressSync(text).length;

test('the first script compresses to 1,800 bytes, a module to 1,024, and the broadcast dialog to 1,344', () => {
  expect(compressed(script?.text)).toBeLessThanOrEqual(1800);
  expect(modules.length).toBeGreaterThan(5);
  const limit = (path: string) => (path.includes('/broadcast-dialog.') ? 1344 : 1024);
  expect(modules.filter(({ path, text }) => compressed(text) > limit(path)).map(({ path }) => path)).toEqual([]);
});

test('no script imports another file before it runs', () => {
  const waits = /\bimport\b(?!\()|(?<!")\bfrom\s*["']/;
  expect([script, ...modules].filter((one) => waits.test(one?.text ?? '')).map((one) => one?.path)).toEqual([]);
});

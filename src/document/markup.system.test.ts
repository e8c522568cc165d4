import { expect, test } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Notification } from '../leads/channels/channel.ts';
import { paths } from '../lib/paths.ts';
import { addresses } from '../routes.ts';
import { entryScript, readCode } from '../site/code.ts';
import { siteUrl } from '../testing/built.ts';
import { eventually } from '../testing/eventually.ts';
import { templates } from '../testing/pages.ts';
import { startTestSite } from '../testing/test-site.ts';
import { documentRenderer, layoutData } from './document.tsx';

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
      // The error summary stands before the h1, so that it is read first.
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

const told: Notification[] = [];
const site = await startTestSite({
  channels: [{ kind: 'webhook', name: 'chat', parallel: 1, deliver: async (some) => void told.push(...some) }],
});

async function faults(html: string): Promise<string[]> {
  const lines = html.split('\n');
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const at = lines[line - 1]?.slice(Math.max(0, column - 20), column + 80);
      return `${ruleId}: ${message} …${at}…`;
    }),
  );
}

async function faultsOf(documents: Iterable<readonly [string, string]>): Promise<string[]> {
  const found = new Map<string, string>();
  for (const [name, html] of documents) {
    for (const fault of await faults(html)) found.set(fault, found.get(fault) ?? name);
  }
  return [...found].map(([fault, name]) => `${name}: ${fault}`);
}

test('what is prerendered, what is rendered on demand, and error pages are valid HTML', async () => {
  const { content } = site.services.site;
  const documents = new Map<string, string>();
  const asked = new Set([
    ...site.served.paths,
    ...templates,
    ...['/cases', '/reviews', '/blog', '/about/novosti'].map((list) => `${list}?page=2`),
    ...content.presets.map(({ slug }) => `/contact?preset=${slug}`),
    '/%E0%A4%A',
  ]);
  for (const path of asked) {
    const { headers, text } = await site.request(path);
    expect([path, headers['content-type']]).toEqual([path, 'text/html; charset=utf-8']);
    documents.set(path, text);
  }
  expect(documents.size).toBeGreaterThan(site.served.paths.length);
  expect(await faultsOf(documents)).toEqual([]);
});

test('the form with its errors, the receipt and the request to take are valid HTML', async () => {
  const refused = await site.post({ preset: 'request', key: 'a-key', name: '', phone: '12 "<b>', message: '' });
  expect(refused.status).toBe(422);
  const sent = await site.post({
    preset: 'request',
    key: 'another-key',
    name: 'Анна <b>',
    phone: '+7 916 123-45-67',
    message: 'Сколько?\nИ когда?',
    consent: 'yes',
  });
  expect(sent.status).toBe(303);
  const receipt = await site.request(String(sent.headers.location));
  await eventually(() => told.length, 1);
  const link = new URL(told[0]?.takeUrl ?? '').pathname;
  const toTake = await site.request(link);
  await site.request(link, { method: 'POST' });
  const taken = await site.request(link);
  expect([receipt.status, toTake.status, taken.status]).toEqual([200, 200, 200]);
  const documents = { refused, receipt, toTake, taken };
  expect(await faultsOf(Object.entries(documents).map(([name, { text }]) => [name, text] as const))).toEqual([]);
});

test('pages with third parties are valid HTML', async () => {
  const { styles, scripts } = readCode(paths.code);
  const content = {
    ...site.services.site.content,
    integrations: { metrikaId: '12345678', mapsApiKey: 'a-key', turnstileSiteKey: 'a-site-key' },
  };
  const layout = layoutData(content, { siteUrl, script: entryScript(scripts) });
  const { render } = documentRenderer({ layout, styles, sharePicture: () => '/a' });
  const documents = addresses(content)
    .filter(({ path }) => (templates as readonly string[]).includes(path))
    .map(({ path, page, params }) => {
      const view = page.open(content, params, {});
      return [path, view === undefined ? '' : render(view).html] as const;
    });
  expect(documents.length).toBeGreaterThan(10);
  expect(await faultsOf(documents)).toEqual([]);
});

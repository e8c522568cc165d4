import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../reading/content-files.ts';
import { browserHeaders } from '../testing/ask.ts';
import { siteUrl } from '../testing/built.ts';
import { korob, withStore } from '../testing/commands.ts';
import { contentFolder, otherContent } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { one, parseHtml, textOf } from '../testing/html.ts';
import { onDemand } from '../testing/pages.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { filledForm } from '../testing/test-site.ts';
import { readPublished } from './revisions.ts';

/** With few posts, and of the company that ships, so that every picture is encoded already. */
const small = new Map([...otherContent(), ['company.yaml', readFolder(paths.content).get('company.yaml')]]);
const content = contentFolder(
  Object.fromEntries([...readFolder(paths.content).keys()].map((name) => [name, () => small.get(name)?.bytes()])),
);
const first = await startServerProcess({ CONTENT_DIR: content });
const { dataDir } = first;
// What it begins with is published, so that there is a way back to it.
await eventually(() => readPublished(paths.published(dataDir)).current !== null);
const servers = [first];

/** @returns the line of the change, from 1 */
function edit(file: string, from: RegExp, to: string): number {
  const path = join(content, file);
  const text = readFileSync(path, 'utf8').replace(from, to);
  expect(text).toContain(to.replace('$1', '').trim());
  writeFileSync(path, text);
  return text.split('\n').indexOf(to) + 1;
}

const publish = (...args: string[]) =>
  korob(dataDir, ['publish', ...args], { CONTENT_DIR: content, SITE_URL: siteUrl });

async function textAt({ url }: ServerProcess, path: string): Promise<string> {
  return (await fetch(url + path, { headers: browserHeaders })).text();
}

/** @param is whether it is said */
function saidEverywhere(path: string, words: string, is = true): Promise<void> {
  const said = async () => {
    const texts = await Promise.all(servers.map((server) => textAt(server, path)));
    return texts.every((text) => text.includes(words) === is);
  };
  return eventually(said, true, `${words} at ${path}`);
}

test('what is published is shown without a restart, and so is what was there before', async () => {
  edit('pages/cases.md', /^lead: .*$/m, 'lead: Первая правка');
  const { code, stdout } = await publish();
  expect([code, stdout]).toEqual([0, expect.stringContaining('changed /cases\n')]);
  await saidEverywhere('/cases', 'Первая правка');
  // Rendered on demand, but by the same site.
  await saidEverywhere(onDemand, '</footer>');
  expect((await publish('--back')).code).toBe(0);
  await saidEverywhere('/cases', 'Первая правка', false);
  expect(await publish('--back')).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to return to') });
});

test('it is all replaced at once: company, hours, consent; the evidence of older leads stays', async () => {
  const send = async (message: string) => {
    const body = new URLSearchParams({ ...filledForm, message });
    const headers = { ...browserHeaders, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${first.url}/contact`, { method: 'POST', redirect: 'manual', headers, body });
    const receipt = parseHtml(await textAt(first, answer.headers.get('location') ?? ''));
    return textOf(one(receipt, 'main')).replace(/№\s\d+/, '');
  };
  const promised = await send('До правки');
  edit('company.yaml', /^email: .*$/m, 'email: sunduk@example.ru');
  // Longer than any holidays, so the promised call moves.
  const days = Array.from({ length: 20 }, (_, ahead) => new Date(Date.now() + ahead * 86_400_000));
  const closed = days.map((day) => `    - ${day.toISOString().slice(0, 10)}\n`).join('');
  edit('company.yaml', /^( +)holidays:\n(?: +- .*\n)*/m, `$1holidays:\n${closed}`);
  edit('legal/consent.md', /$/, '\nЕщё одна строка согласия.\n');
  expect((await publish()).code).toBe(0);
  await saidEverywhere('/contacts', 'sunduk@example.ru');
  expect(await send('После правки')).not.toBe(promised);
  const database = new DatabaseSync(join(dataDir, 'korob.sqlite'), { readOnly: true });
  const texts = new Map(
    database
      .prepare('SELECT hash, text FROM consent_text')
      .all()
      .map(({ hash, text }) => [hash, String(text)]),
  );
  database.close();
  const leads = await withStore(dataDir, (store) => store.leads.list({ limit: 2 }));
  const agreed = leads.map(({ message, consent }) => [message, texts.get(consent)?.includes('Ещё одна строка')]);
  expect(agreed).toEqual([
    ['После правки', true],
    ['До правки', false],
  ]);
});

test('what is wrong is refused by file and line; a folder that is watched is published once it is right', async () => {
  const line = edit('company.yaml', /^email: .*$/m, 'email: никакой');
  edit('pages/cases.md', /^lead: .*$/m, 'lead: Вторая правка');
  const wrong = `company.yaml:${line}: email: «никакой» не подходит`;
  expect(await publish()).toMatchObject({ code: 1, stderr: expect.stringContaining(wrong) });

  const port = await freePort();
  const env = { CONTENT_DIR: content, DATA_DIR: dataDir, CONTENT_WATCH: 'true', METRICS_PORT: String(port) };
  const watching = await startServerProcess(env);
  servers.push(watching);
  const refused = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return /^korob_content_refused (\d)/m.exec(text)?.[1];
  };
  await eventually(refused, '1', 'the metrics tell of it');
  expect(watching.output()).toContain(wrong);
  await saidEverywhere('/contacts', 'sunduk@example.ru');
  for (const server of servers) expect(await textAt(server, '/cases')).not.toContain('Вторая правка');

  edit('company.yaml', /^email: .*$/m, 'email: info@example.ru');
  await saidEverywhere('/cases', 'Вторая правка');
  await eventually(refused, '0', 'the metrics tell that it is over');
  expect(watching.output()).toContain('the content is in order again');
  const builds = await Promise.all(servers.map((server) => textAt(server, '/builds/latest.json')));
  expect(builds[0]).toBe(builds[1]);
  expect(first.output()).not.toMatch(/"level":[56]0/);
});

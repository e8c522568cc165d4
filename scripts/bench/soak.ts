import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKey } from '../../src/leads/form/read-lead-form.ts';
import { paths } from '../../src/lib/paths.ts';
import { type Ask, asForm, ask } from '../../src/tests/support/ask.ts';
import { freePort } from '../../src/tests/support/free-port.ts';
import { type Server, startServer } from '../server-process.ts';
import { type Figure, memoryOf, newContent, output, run, startBare } from './harness.ts';

/** Five minutes show whether memory still grows: `SOAK_SECONDS=300 npm run bench -- --only soak`. */
const seconds = Number(process.env.SOAK_SECONDS ?? 60);
const publicationEveryMs = 10_000;
const maxMemoryMb = 300;

/** Memory and stalls under everything at once: visitors, forms, staff, and publications that change every page. */
export async function measureSoak(): Promise<Figure[]> {
  await using webhook = await startWebhook();
  const secret = `whsec_${Buffer.alloc(32, 'soak').toString('base64')}`;
  const env = { LEADS_WEBHOOK_URL: webhook.url, LEADS_WEBHOOK_SECRET: secret, LOG_LEVEL: 'error' };
  const content = newContent();
  await using server = await startServer([paths.main], { ...env, CONTENT_DIR: content });
  await using bare = await startBare('empty');
  const load = await loadOn(server, content);
  const [ours, least] = [probe(server), probe(bare)];
  const all = [...load.loops, ours.loop, least.loop];
  const running = Promise.all(all.map(({ finished }) => finished));
  // A failed request ends the measurement, and with it the servers.
  const wait = () => Promise.race([sleep(seconds * 500), running]);

  await wait();
  const halfway = memoryOf(server);
  await wait();
  const atEnd = memoryOf(server);
  for (const { stop } of all) stop();
  await running;
  const [sent, received] = [load.forms(), webhook.received()];
  if (sent === 0 || received < sent / 2) throw new Error(`The webhook got ${received} of ${sent} leads.`);

  return [
    { name: `memory after ${seconds} s`, unit: 'MB', value: atEnd, ratio: atEnd / maxMemoryMb, limit: 1 },
    { name: 'memory, second half', unit: 'MB', value: atEnd - halfway, ratio: atEnd / halfway, limit: 1.1 },
    {
      name: 'longest wait for a bare answer',
      unit: 'ms',
      value: ours.longest(),
      ratio: ours.longest() / least.longest(),
      limit: 10,
    },
  ];
}

async function startWebhook() {
  let events = 0;
  const server = createServer((req, res) => {
    req.resume().on('end', () => {
      events += 1;
      res.end('{}');
    });
  });
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${port}/`,
    received: () => events,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

type Loop = { stop(): void; finished: Promise<void> };

/** Repeats `work` until it is stopped or fails, at most once per interval. */
function every(intervalMs: number, work: (count: number) => Promise<unknown>): Loop {
  let isStopped = false;
  const repeat = async () => {
    for (let count = 0; !isStopped; count++) await Promise.all([work(count), sleep(intervalMs)]);
  };
  const stop = () => {
    isStopped = true;
  };
  return { stop, finished: repeat() };
}

async function loadOn({ port, env }: Server, content: string) {
  let sent = 0;
  let forms = 0;
  const send = async (path: string, options: Ask = {}, expected = 200) => {
    sent += 1;
    const headers = { 'x-forwarded-for': `10.0.${(sent >> 8) & 255}.${sent & 255}`, 'accept-encoding': 'br' };
    const answer = await ask(port, path, { ...options, headers: { ...headers, ...options.headers } }).catch((error) => {
      throw new Error(`${path} got no answer.`, { cause: error });
    });
    if (answer.status !== expected) throw new Error(`${path} returned ${answer.status} instead of ${expected}.`);
    return answer;
  };
  const sendForm = async (count: number) => {
    const phone = `8 916 1${String(count).padStart(6, '0')}`;
    const fields = { preset: 'request', name: 'Анна', phone, message: `Вопрос ${count}`, consent: 'yes' };
    const { headers, ...form } = asForm({ ...fields, key: newKey(new Date(Date.now() - 60_000)) }, {});
    await send('/contact', { ...form, headers }, 303);
    forms += 1;
  };
  const publish = async (count: number) => {
    // Every page shows the mail address.
    const file = join(content, 'company.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/email: .*/, `email: info${count}@example.ru`));
    await run([paths.commands, 'publish'], env);
  };

  const sitemap = (await send('/sitemap.xml', { headers: { 'accept-encoding': undefined } })).text;
  const pages = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  const pageAt = (count: number) => pages[count % pages.length] ?? '/';
  const pictures = [
    ...(await send('/cases', { headers: { 'accept-encoding': undefined } })).text.matchAll(/\/pictures\/[^"\s,]+/g),
  ];
  const link = await output([paths.commands, 'desk', 'link', 'Soak'], env);
  const { headers } = await ask(port, new URL(link.trim()).pathname);
  const staff = { headers: { cookie: headers['set-cookie']?.map((one) => one.split(';')[0]).join('; ') } };
  const words = ['упаковка', 'короб', 'склад', 'маркировка'];

  const loops = [
    ...[0, 7, 31, 53].map((offset) => every(100, (count) => send(pageAt(count + offset)))),
    every(500, (count) => send(pageAt(count), { headers: { 'accept-encoding': 'gzip' } })),
    every(300, (count) => send(pictures[count % pictures.length]?.[0] ?? '/favicon.svg')),
    every(250, (count) => send(`/rates/calc?units=${count + 100}`)),
    every(500, (count) => send(`/search?q=${encodeURIComponent(`${words[count % words.length]} ${count}`)}`)),
    every(1_000, (count) => send(`/nowhere-${count}`, {}, 404)),
    every(400, sendForm),
    every(500, () => send('/desk', staff)),
    every(5_000, () => send('/desk/export', staff)),
    every(publicationEveryMs, publish),
  ];
  return { loops, forms: () => forms };
}

/** Asks for the cheapest answer every 20 ms; it waits as long as the server does other work. */
function probe({ port }: Server) {
  let longest = 0;
  const loop = every(20, async () => {
    const begun = performance.now();
    await ask(port, '/healthz');
    longest = Math.max(longest, performance.now() - begun);
  });
  return { loop, longest: () => longest };
}

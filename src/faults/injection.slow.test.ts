import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import { facts, messageLines } from '../leads/channels/wording.ts';
import type { Lead } from '../leads/store/lead.ts';
import { storeIn } from '../leads/store/open-store.ts';
import { openDatabase } from '../leads/store/sqlite.ts';
import { paths } from '../lib/paths.ts';
import { cut } from '../lib/tidy.ts';
import { siteUrl } from '../testing/built.ts';
import { hostileForm, httpServer, type Mail, sendJson } from '../testing/channels.ts';
import { ships } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { shownSite } from '../testing/test-site.ts';
import { type Event, post, startPostOffice, startWebhook, storedIn } from './testing.ts';

/** In every form, so that what repeats a visitor's words shows. */
const canary = 'Канарейка';
const { content } = await shownSite();
const title = content.presets.find(({ slug }) => slug === 'request')?.title.replaceAll('\u00A0', ' ') ?? '';
const site = { name: content.company.name, url: siteUrl, timeZone: 'Europe/Moscow' };

const webhook = await startWebhook();
const postOffice = await startPostOffice(['sales@korob.example', 'boss@korob.example']);
const telegram = await httpServer((res) => sendJson(res, 200, { ok: true }));
const server = await startServerProcess({
  TRUST_PROXY: '1',
  LOG_LEVEL: 'trace',
  ...webhook.env,
  ...postOffice.env,
  TELEGRAM_BOT_TOKEN: '1:TokenCanaryTokenCanary',
  TELEGRAM_CHAT_ID: '-100',
  TELEGRAM_API_BASE: telegram.url,
  TELEGRAM_PERSONAL_DATA: 'true',
});

type Form = { fields: Record<string, string>; headers: Record<string, string> };

/** A form that is accepted, with hostile words in every field, and in some that no form has. */
function formOf({ name, phoneTyped, message, page, attribution }: Partial<Lead>): Form {
  const words = [name, phoneTyped, message, page].filter((text) => typeof text === 'string').join(' ');
  const inLatin1 = words.replace(/[^\x20-\x7e]/g, ' ').slice(0, 500);
  const campaign = Object.entries(attribution ?? {}).flatMap(([key, value]) => [
    [`attribution.${key}`, value],
    [`attribution.utm_${key.length}`, `${value} ${canary}`],
  ]);
  return {
    fields: {
      ...Object.fromEntries(campaign),
      preset: 'request',
      name: cut(`Анна ${name} ${canary}`, 100),
      phone: cut(`8 916 123-45-67 ${phoneTyped?.replace(/\p{N}/gu, '')} ${canary}`, 100),
      message: `${message} ${canary}`,
      page: `/${page}`,
      key: words,
      consent: 'yes',
      email: words,
      'Reply-To': words,
      to: words,
      subject: words,
      'lead[phone]': words,
      ['__proto__']: words,
    },
    headers: {
      referer: `${siteUrl}/${encodeURIComponent(inLatin1)}`,
      'user-agent': `${inLatin1} x`,
      'x-request-id': inLatin1,
    },
  };
}

const poison = 'x@y.z, group: a@b;';
const poisons = [poison, `\r\nReply-To: ${poison}\r\n`, `"${poison}" <x@y.z>`, `\nBcc: ${poison}\n\n`].map((text) => ({
  name: text,
  phoneTyped: text,
  message: text,
  page: text,
  attribution: { [text]: text, utm_source: text },
}));

let visitors = 0;

/**
 * Posts forms, and says what each channel was told of those that were not sent back for correction. What looks like
 * spam is told of as well, because operators release it.
 */
async function tell(forms: readonly Form[]): Promise<Told[]> {
  for (const told of [webhook.events, webhook.requests, postOffice.mails, telegram.received]) told.length = 0;
  const answers = await Promise.all(
    forms.map(({ fields, headers }) => {
      visitors += 1;
      const address = `10.0.${visitors >> 8}.${visitors & 255}`;
      return post(server.port, fields, { headers: { ...headers, 'x-forwarded-for': address } });
    }),
  );
  expect(answers.map(({ status }) => status).filter((status) => status !== 422 && status !== 303)).toEqual([]);
  const { leads, deliveries } = storedIn(server.dataDir);
  const accepted = answers.flatMap(({ headers }) => leads.get(headers.location ?? '') ?? []);
  const numbers = [...new Set(accepted.map(({ number }) => number))];
  const quiet = numbers.filter((number) => !deliveries.some(({ lead }) => lead === number));
  await release(quiet);

  const arrived = () => [webhook.events.length, postOffice.mails.length, telegram.received.length];
  const all = [numbers.length, numbers.length * 2, numbers.length].join();
  await eventually(() => arrived().join() === all, true, `webhooks, mails and messages: ${all}`);
  return numbers.map((number) => {
    const isOf = (text: string | undefined) => text?.replace(mark, '').startsWith(`Заявка № ${number}: `);
    const at = webhook.events.findIndex(({ data }) => data.number === number);
    const chats = telegram.received.map(({ body }) => JSON.parse(body) as Chat);
    const mails = postOffice.mails.filter(({ mail }) => isOf(mail.subject));
    return {
      event: webhook.events[at] as Event,
      headers: Object.keys(webhook.requests[at]?.headers ?? {}).sort(),
      mails: mails.toSorted((a, b) => String(a.to).localeCompare(String(b.to))),
      chat: chats.find(({ text }) => isOf(text)) as Chat,
    };
  });
}

/** Stands before what may be spam and may be a person. */
const mark = /^Похоже на спам\. /;

/** What `leads release` does. */
async function release(numbers: readonly number[]): Promise<void> {
  const database = openDatabase(server.dataDir);
  const store = storeIn(database);
  const channels = ['mail:sales@korob.example', 'mail:boss@korob.example', 'webhook', 'telegram'];
  for (const number of numbers) {
    expect(await store.deliveries.release(number, { quarantined: false, channels, escalateAt: null })).toBe(true);
  }
  await store.close();
  database.close();
}

type Told = { event: Event; headers: string[]; mails: Mail[]; chat: Chat };

type Chat = { text: string; entities: { type: string; offset: number; length: number }[] } & Record<string, unknown>;

/** What no visitor may change by what they write. */
function shapeOf({ headers, event, mails, chat }: Told) {
  const { text, entities, ...rest } = chat;
  return {
    headers,
    event: [event.type, Object.keys(event.data)],
    chat: rest,
    mails: mails.map(({ from, to, source, mail }) => ({
      envelope: [from, to],
      headers: mail.headers.map(({ key }) => key),
      addresses: [mail.from, mail.to, mail.cc, mail.bcc, mail.replyTo, mail.sender],
      parts: typesOfParts(source),
      attachments: mail.attachments.length,
    })),
  };
}

function typesOfParts(source: string): string[] {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  return source.split(`\r\n--${boundary}`).map((part) => /^Content-Type: ([^;\r\n]+)/m.exec(part)?.[1] ?? part.trim());
}

/** Elements that the template has, as often as the facts need them, and links of the site alone. */
function expectOwnMarkup({ mail }: Mail, lead: Lead): void {
  const html = mail.html ?? '';
  const told = facts({ lead }, site);
  const lines = messageLines({ lead }).length;
  const counts: Record<string, number> = {};
  for (const [, name = ''] of html.matchAll(/<([a-z!][^\s>/]*)/gi)) counts[name] = (counts[name] ?? 0) + 1;
  expect(counts).toEqual({
    ...{ '!doctype': 1, html: 1, head: 1, meta: 1, title: 1, body: 1, h1: 1, table: 1, p: 4, blockquote: 1, br: lines },
    ...{ tr: told.length, th: told.length, td: told.length },
    a: 2 + told.filter(({ href }) => href !== undefined).length,
  });
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) {
    expect(href).toMatch(/^(http:\/\/localhost:3000($|\/)|tel:\+\d+$)/);
  }
}

const labels = ['Имя', 'Телефон', 'Телефон дословно', 'Страница', 'Когда пришла', 'Реклама', 'Сообщение'];

/** Every line begins with a word of ours, or is marked as quoted. */
function expectOwnLines({ mail }: Mail, { number }: Lead, takeUrl: string): void {
  expect(mail.subject?.replace(mark, '')).toBe(`Заявка № ${number}: ${title}`);
  const lines = (mail.text ?? '').trimEnd().split('\n');
  expect(lines.slice(0, 6)).toEqual([
    mail.subject,
    '',
    mark.test(mail.subject ?? '')
      ? 'Может быть, это спам, а может быть, человек: прочитайте, прежде чем звонить.'
      : 'Возьмите заявку, чтобы все видели, что она ваша, и позвоните.',
    '',
    expect.stringMatching(/^Взять заявку: http:\/\/localhost:3000\/take\/[\w.-]+$/),
    '',
  ]);
  expect(takeUrl).toMatch(/^http:\/\/localhost:3000\/take\/[\w.-]+$/);
  expect(lines.slice(-3)).toEqual(['', '-- ', `${site.name}, ${siteUrl}`]);
  const found = lines.slice(6, -3).flatMap((line) => (/^(>|$)/.test(line) ? [] : [line.replace(/:.*$/u, '')]));
  expect(found).toEqual(labels.filter((label) => found.includes(label)));
}

/** Words of the visitor stand in marked places, and the rest is ours. */
function expectOwnChat({ text, entities }: Chat, { number }: Lead): void {
  const words = entities.findLast(({ type }) => type === 'code');
  if (words === undefined) throw new Error('The words are not marked.');
  expect(entities.map(({ type }) => type)).toEqual(['text_link', 'code']);
  expect(text.length).toBe(words.offset + words.length);
  expect(text.slice(0, words.offset).replace(mark, '')).toMatch(
    new RegExp(
      `^Заявка № ${number}: ${title}\\n.*\\nВзять № ${number}: ${title}, \\+7 916 123-45-67(, похоже на спам)?: $`,
    ),
  );
}

/** All events, for comparing them with what an operator exports. */
const events: Event['data'][] = [];

test('whatever a visitor writes into whatever field changes no recipient, header, line, column or markup', async () => {
  const [plain] = await tell([formOf({ name: '', phoneTyped: '', message: '', page: 'rates', attribution: {} })]);
  if (plain === undefined) throw new Error('A plain form was refused.');
  events.push(plain.event.data);
  const expected = shapeOf(plain);
  expect(expected.mails.map(({ envelope }) => envelope)).toEqual([
    ['site@korob.example', ['boss@korob.example']],
    ['site@korob.example', ['sales@korob.example']],
  ]);
  expect(expected.mails[0]?.addresses.slice(2)).toEqual([undefined, undefined, undefined, undefined]);
  let sent = 0;
  await fc.assert(
    // Several at a time, so that their ways through the house cross; no more than are told of one by one.
    fc.asyncProperty(fc.array(hostileForm, { minLength: 1, maxLength: 3 }), async (leads) => {
      sent += leads.length;
      for (const told of await tell(leads.map(formOf))) {
        events.push(told.event.data);
        const lead = told.event.data as unknown as Lead;
        expect(shapeOf(told)).toEqual(expected);
        for (const mail of told.mails) {
          expectOwnMarkup(mail, lead);
          expectOwnLines(mail, lead, told.event.data.takeUrl);
        }
        expectOwnChat(told.chat, lead);
      }
    }),
    { numRuns: 40, examples: [[poisons.slice(0, 2)], [poisons.slice(2)]] },
  );
  expect(events.length).toBeGreaterThan(sent / 2);
}, 120_000);

const exported = (...args: string[]): string =>
  execFileSync(process.execPath, [paths.commands, 'leads', 'export', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: server.dataDir },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });

test('an operator exports as many lines as there are leads, with the same columns and the same words', () => {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(exported().slice(1), { header: true });
  const rows = data.filter(({ number }) => number !== '');
  expect(errors.filter(({ row }) => row !== rows.length)).toEqual([]);
  const told = events.toSorted((a, b) => a.number - b.number);
  expect(rows.map(({ number }) => Number(number))).toEqual(told.map(({ number }) => number));
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(meta.fields);
    expect(Object.entries(row).filter(([column, cell]) => column !== 'phone' && /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  }
  const lines = exported('--json').trimEnd().split('\n');
  const kept = lines.map((line) => JSON.parse(line) as Lead);
  const words = ({ number, name, phone, phoneTyped, message, page, attribution }: Lead | (typeof events)[number]) => ({
    ...{ number, name, phone, phoneTyped, message, page, attribution },
  });
  expect(kept.map(words)).toEqual(told.map(words));
});

test('the log has its own lines, and not a word of a visitor', () => {
  const lines = server.output().trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { msg: string; level: number });
  // At midnight, the site of the new day takes its place.
  const said = new Set(entries.map(({ msg }) => msg).filter((msg) => msg !== 'a new site is served'));
  expect(said).toEqual(
    new Set([...(ships ? [expect.stringContaining('company facts')] : []), 'serving', 'request', 'delivered']),
  );
  const words = [canary, 'evil', '9161234567', '916 123', 'x@y.z', 'group:', '<script'];
  expect(words.filter((word) => lines.some((line) => line.includes(word)))).toEqual([]);
});

import type { Config } from '../config.ts';
import { receiptHeading } from '../leads/form/receipt.page.tsx';
import { markCanary } from '../leads/store/canaries.ts';
import { databasePath } from '../leads/store/sqlite.ts';
import { explainCode } from '../lib/remote-error.ts';
import { typeset } from '../model/typography.ts';
import { type Command, configOf, parse, print, withStore } from './command.ts';

/** For each request. */
const timeoutMs = 10_000;

export const canaryCommand: Command = {
  name: 'canary',
  usage: '',
  does: 'sends the form at SITE_URL as a visitor does, checks that this store has it, and deletes it; notifies no channel',
  async run(args, io) {
    parse(args, {});
    const config = configOf(io);
    const { page, form, receipt } = await goWholeWay(config);
    markCanary(config.dataDir);
    await print(io, [`The form works: page ${page.ms} ms, form ${form.ms} ms, receipt ${receipt.ms} ms.\n`]);
  },
};

function goWholeWay(config: Config): Promise<Readonly<Record<'page' | 'form' | 'receipt', Answer>>> {
  const { origin } = new URL(config.siteUrl);
  // The store is open before the form is sent, because what cannot be deleted must not be made.
  return withStore(config, async ({ leads }) => {
    const url = `${origin}/contact`;
    const page = await visit({ step: 'The page of the form', url, expected: 200 });
    const form = await visit({ step: 'The form', url, expected: 303, fields: fillForm(page.text) });
    const token = receiptIn(form.location, origin);
    const opening = openReceipt(origin, token);
    await Promise.allSettled([opening]);
    const removed = await leads.removeCanary(token);
    const receipt = await opening;
    if (!removed) throw new Error(anotherStore(config));
    return { page, form, receipt };
  });
}

/** The phone is reserved, so the form becomes no lead. */
const typed: Readonly<Record<string, string>> = {
  phone: '+1 202 555 0142',
  name: 'Проверка',
  message: 'Это проверка сайта: звонить не нужно.',
};

/** @returns what a browser sends after a visitor has filled in the form and ticked its box */
function fillForm(html: string): URLSearchParams {
  const [form] = /<form\b[^>]*\saction="\/contact"[^>]*>.*?<\/form>/s.exec(html) ?? [];
  if (form === undefined) throw new Error('The page of the form failed: it has no form that sends to /contact.');
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<(?:input|textarea)\b[^>]*>/g)) {
    const name = attribute(tag, 'name');
    fields.append(name, typed[name] ?? attribute(tag, 'value'));
  }
  return fields;
}

/** No value of this form has a character that React escapes. */
function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

function receiptIn(location: string | undefined, origin: string): string {
  const receipts = `${origin}/contact/`;
  if (location?.startsWith(receipts)) return location.slice(receipts.length);
  throw new Error(`The form failed: ${origin}/contact redirects to ${location}, which is no receipt.`);
}

async function openReceipt(origin: string, token: string): Promise<Answer> {
  const url = `${origin}/contact/${token}`;
  const answer = await visit({ step: 'The receipt', url, expected: 200 });
  const heading = receiptHeading(0);
  if (answer.text.includes(typeset(heading))) return answer;
  throw new Error(
    `The receipt failed: ${url} does not say "${heading}"; another site, or another version of this one, answers there.`,
  );
}

function anotherStore({ siteUrl, dataDir, databaseUrl }: Config): string {
  const place = databaseUrl ? 'the PostgreSQL of DATABASE_URL' : databasePath(dataDir);
  const remedy = `use the DATA_DIR and DATABASE_URL of the server that answers at ${siteUrl}`;
  return `The store failed: the form was committed to another store, because ${place} does not have it; ${remedy}.`;
}

type Visit = { step: string; url: string; expected: number; fields?: URLSearchParams };

type Answer = { text: string; location: string | undefined; ms: number };

/** As for visitors, redirects of SITE_URL and certificates that browsers do not trust are failures. */
async function visit({ step, url, expected, fields }: Visit): Promise<Answer> {
  const start = performance.now();
  const answer = await request(url, fields).catch((error) => {
    throw new Error(`${step} failed: ${url} gave no answer: ${reasonOf(error)}.`);
  });
  if (answer.status === expected) return { ...answer, ms: Math.round(performance.now() - start) };
  throw new Error(`${step} failed: ${url} ${unexpected(answer)}.`);
}

type Received = Omit<Answer, 'ms'> & { status: number };

async function request(url: string, fields: URLSearchParams | undefined): Promise<Received> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: headersOf(url, fields),
    ...(fields && { method: 'POST', body: fields }),
  });
  const location = response.headers.get('location');
  const text = await response.text();
  return { status: response.status, location: location === null ? undefined : URL.parse(location, url)?.href, text };
}

/** Those of a browser. */
function headersOf(url: string, fields: URLSearchParams | undefined): Record<string, string> {
  const own = { origin: new URL(url).origin, referer: url, 'sec-fetch-site': 'same-origin' };
  return {
    accept: 'text/html,application/xhtml+xml',
    'user-agent': 'Mozilla/5.0 (korob canary)',
    ...(fields ? own : { 'sec-fetch-site': 'none' }),
  };
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `it took more than ${timeoutMs / 1_000} s`;
  const { cause } = error;
  if (!Error.isError(cause)) return error.message;
  return 'code' in cause ? explainCode(String(cause.code)) : cause.message;
}

function unexpected({ status, location }: Received): string {
  if (location !== undefined) return `redirects to ${location}; correct SITE_URL or the redirect`;
  return `answers ${status}; ${advice[status] ?? 'read the logs of nginx and the server'}`;
}

/** By status. */
const advice: Readonly<Record<number, string>> = {
  404: 'another site answers there, or a server with another store',
  429: 'the limit for this network is reached, so wait ten minutes',
  503: 'leads cannot be stored, or no process answers; run "doctor"',
};

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Arrival, Lead, NewLead } from '../../leads/store/lead.ts';
import type { Circumstances, Leads, NewEvent } from '../../leads/store/leads.ts';
import { dayMs } from '../../lib/durations.ts';
import type { Span, WorkingHours } from '../../model/working-hours.ts';
import type { DatedBill } from '../../pricing/bill.ts';
import { atEnd } from './at-end.ts';

/** A lead from the form; `about` overrides fields. */
export function newLead(about: Partial<NewLead> = {}): NewLead {
  return {
    key: 'key-of-a-form',
    preset: 'consultation',
    name: 'Анна',
    phone: '+79161234567',
    phoneTyped: '8 (916) 123-45-67 доб. 12',
    message: 'Добрый день!\nСколько стоит упаковка?',
    calculation: null,
    page: '/services/packaging',
    attribution: { utm_source: 'yandex' },
    consent: 'abc',
    signals: [],
    ...about,
  };
}

/** A stored lead; `about` overrides fields. */
export function keptLead(about: Partial<Lead> = {}): Lead {
  const { key, ...sent } = newLead();
  return {
    ...sent,
    number: 12,
    receipt: 'ReceiptCanary',
    state: 'waiting',
    receivedAt: '2026-11-20T10:05:00.000Z',
    since: '2026-11-20T10:05:00.000Z',
    takenAt: null,
    takenBy: null,
    events: [],
    ...about,
  };
}

/** The bill of a lead from the calculator, and its lines in a notification. */
export const bill: DatedBill = {
  order: 'Ozon, FBO, 10 шт.',
  rows: [{ text: 'Упаковка', formula: '10 шт. × 13 ₽', sum: '130 ₽' }],
  total: '130 ₽',
  ...{ effective: '2026-11-01', address: 'https://korob.example/rates/calc?units=10' },
};
export const billLines = [
  'Ozon, FBO, 10 шт.',
  'Упаковка: 130 ₽ (10 шт. × 13 ₽)',
  'Итого: 130 ₽',
  'Цены с 1 ноября 2026 г., https://korob.example/rates/calc?units=10',
];

/** Without channels, and without a reminder in the next days. */
export const arrival: Arrival = {
  quarantined: false,
  channels: [],
  notifyAt: new Date(0).toISOString(),
  remindAt: new Date(Date.now() + 30 * dayMs).toISOString(),
};

const day: Span[] = [['00:00', '23:59:59.999']];

/** In which each call is due when it is asked for. */
const alwaysOpen: WorkingHours = { timeZone: 'UTC', week: Array(7).fill(day), holidays: [], callWithin: 0 };

/** Records an event with a new key. */
export function act(
  leads: Pick<Leads, 'act'>,
  number: number,
  eventName: NewEvent['eventName'],
  { channels = [], callAt, ...about }: Partial<Omit<NewEvent, 'eventName'> & Circumstances> = {},
) {
  const event = { key: randomUUID(), by: 'desk:Анна', eventName, text: '', ...about };
  return leads.act(number, event, { hours: alwaysOpen, channels, callAt });
}

const addingProcess = fileURLToPath(new URL('./adding-process.ts', import.meta.url));

/** Starts `adding-process.ts`. @param under a program that runs it, such as a tracer, with its arguments */
export function startAdding(dataDir: string, prefix: string, count: number, under: readonly string[] = []) {
  const [program = '', ...args] = [...under, process.execPath, addingProcess, dataDir, prefix, String(count)];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  /** The receipts of acknowledged leads so far, by the key of the form. */
  const receipts = new Map<string, Lead>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const { key, receipt } = JSON.parse(line);
    if (key !== undefined) receipts.set(key, receipt);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  atEnd(() => {
    child.kill('SIGKILL');
    return ended;
  });
  const ready = once(lines, 'line');
  return { ready, go: () => child.stdin.end(), kill: () => child.kill('SIGKILL'), receipts, ended };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Lead, NewLead, Plan } from '../leads/store/lead.ts';
import type { DatedBill } from '../services/bill.ts';

/** A lead as it would come from the form, with what the test cares about. */
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

/** As it would be kept. */
export function keptLead(about: Partial<Lead> = {}): Lead {
  const { key, ...sent } = newLead();
  return {
    ...sent,
    number: 12,
    receipt: 'ReceiptCanary',
    state: 'new',
    receivedAt: '2026-11-20T10:05:00.000Z',
    takenAt: null,
    takenBy: null,
    notes: [],
    ...about,
  };
}

/** What goes with a lead from the calculator, and how it is told. */
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

/** A lead that no channel is told of. */
export const plan: Plan = { quarantined: false, channels: [], escalateAt: null };

const addingProcess = fileURLToPath(new URL('./adding-process.ts', import.meta.url));

/** The command line that runs `adding-process.ts`; see there for its arguments. */
export function addingCommand(dataDir: string, prefix: string, count: number, width = 1): string[] {
  return [process.execPath, addingProcess, dataDir, prefix, String(count), String(width)];
}

/** A line of the adding process. */
export type Said = { ready: true } | { key: string; receipt: Lead } | { error: string } | { check: string };

/** Starts a command that speaks in JSON lines and collects what it says until it ends, however it ends. */
export function listenTo(
  command: readonly string[],
  hear: (said: Said, child: ChildProcess) => void = () => {},
): { child: ChildProcess; ended: Promise<Said[]> } {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const all: Said[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    // A killed process may leave half a line: a receipt that no sender received.
    if (!line.endsWith('}')) return;
    const said: Said = JSON.parse(line);
    all.push(said);
    hear(said, child);
  });
  const ended = new Promise<Said[]>((resolve, reject) => {
    child.once('error', reject);
    lines.once('close', () => resolve(all));
  });
  return { child, ended };
}

/** The receipts among what was said, by key. */
export function receiptsIn(said: readonly Said[]): Map<string, Lead> {
  return new Map(said.flatMap((line) => ('receipt' in line ? [[line.key, line.receipt] as const] : [])));
}

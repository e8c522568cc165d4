import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hourMs } from '../../lib/durations.ts';
import { replaceFile } from '../../lib/files.ts';
import type { Query } from '../../lib/sql.ts';
import { type Lead, type NewLead, strippedDetails } from './lead.ts';

/** Strangers can send such forms, too. */
const maxCanaries = 100;
/** A command that was killed does not remove its canary. */
const maxAgeMs = hourMs;

/** Stores what the receipt shows: of the typed texts, only the phone. */
export async function addCanary(query: Query, sent: NewLead, receipt: string): Promise<Lead> {
  const now = new Date().toISOString();
  const { preset, phone, page, consent, calculation } = sent;
  const lead: Lead = {
    ...strippedDetails,
    ...{ preset, phone, page, consent, calculation },
    number: 0,
    receipt,
    state: 'waiting',
    receivedAt: now,
    since: now,
    takenAt: null,
    takenBy: null,
    events: [],
  };
  await query(
    `DELETE FROM canary WHERE received_at < $1
       OR receipt NOT IN (SELECT receipt FROM canary ORDER BY received_at DESC LIMIT ${maxCanaries - 1})`,
    [oldest()],
  );
  await query('INSERT INTO canary (receipt, received_at, lead) VALUES ($1, $2, $3)', [
    receipt,
    now,
    JSON.stringify(lead),
  ]);
  return lead;
}

export async function findCanary(query: Query, receipt: string): Promise<Lead | undefined> {
  const [row] = await query<{ lead: string }>('SELECT lead FROM canary WHERE receipt = $1', [receipt]);
  return row && JSON.parse(row.lead);
}

export async function removeCanary(query: Query, receipt: string): Promise<boolean> {
  const removed = await query<{ receipt: string }>(
    'DELETE FROM canary WHERE receipt = $1 OR received_at < $2 RETURNING receipt',
    [receipt, oldest()],
  );
  return removed.some((one) => one.receipt === receipt);
}

function oldest(): string {
  return new Date(Date.now() - maxAgeMs).toISOString();
}

export function markCanary(dataDir: string): void {
  replaceFile(canaryMark(dataDir), `${new Date().toISOString()}\n`);
}

/** When the last check succeeded; `undefined` if none did. */
export function lastCanaryAt(dataDir: string): Date | undefined {
  return statSync(canaryMark(dataDir), { throwIfNoEntry: false })?.mtime;
}

function canaryMark(dataDir: string): string {
  return join(dataDir, 'last-canary');
}

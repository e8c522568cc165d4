import { join } from 'node:path';
import { hourMs } from '../../lib/durations.ts';
import { timestampOf, writeTimestamp } from '../../lib/files.ts';
import { isReservedPhone } from '../../lib/phone.ts';
import { type Lead, type NewLead, unstoredLead } from './lead.ts';
import { pickTexts } from './lead-fields.ts';
import type { Query } from './sql.ts';

/** Strangers can send such forms, too. So many at once that theirs do not remove the canary of a running check. */
const maxCanaries = 10_000;
/** A command that was killed does not remove its canary. */
const maxAgeMs = hourMs;

/** Its only number is reserved, so no person waits for a call. */
export function isCanary(lead: NewLead): boolean {
  const { phone, ...typed } = pickTexts(lead);
  if (!isReservedPhone(phone)) return false;
  return (
    Object.values(typed)
      .join()
      .replace(/\P{Nd}/gu, '') === phone.slice(1)
  );
}

/** Stores what the receipt shows: of the typed texts, only the phone. */
export async function addCanary(query: Query, sent: NewLead, receipt: string): Promise<Lead> {
  const { preset, phone, page, consent, calculation } = sent;
  const lead = unstoredLead({ receipt, preset, phone, page, consent, calculation });
  await query(
    `DELETE FROM canary WHERE received_at < $1
       OR received_at <= (SELECT received_at FROM canary ORDER BY received_at DESC LIMIT 1 OFFSET ${maxCanaries - 1})`,
    [new Date(Date.now() - maxAgeMs).toISOString()],
  );
  await query('INSERT INTO canary (receipt, received_at, lead) VALUES ($1, $2, $3)', [
    receipt,
    lead.receivedAt,
    JSON.stringify(lead),
  ]);
  return lead;
}

export async function findCanary(query: Query, receipt: string): Promise<Lead | undefined> {
  const [row] = await query<{ lead: string }>('SELECT lead FROM canary WHERE receipt = $1', [receipt]);
  return row && JSON.parse(row.lead);
}

export async function removeCanary(query: Query, receipt: string): Promise<boolean> {
  return (await query('DELETE FROM canary WHERE receipt = $1 RETURNING receipt', [receipt])).length > 0;
}

export function markCanary(dataDir: string): void {
  writeTimestamp(canaryMark(dataDir));
}

/** When the last check succeeded; `undefined` if none did. */
export function lastCanaryAt(dataDir: string): Date | undefined {
  return timestampOf(canaryMark(dataDir));
}

function canaryMark(dataDir: string): string {
  return join(dataDir, 'last-canary');
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { makeFolder, replaceFile } from '../../lib/files.ts';
import {
  addDestruction,
  type Destruction,
  destroyLeads,
  destructionExpiry,
  phoneHasher,
  storeName,
  withdrawals,
} from './destruction.ts';
import type { Lead } from './lead.ts';
import { type Query, type Sql, StoreError } from './sql.ts';
import { storeError } from './sqlite.ts';

type KeptErasures = {
  /** In DATA_DIR, absolute. */
  file: string;
  /** Whether the file existed, so that it lists what was erased after a backup. */
  known: boolean;
  /** Leads that a backup had brought back. */
  erased: number;
};

/**
 * Lists every erasure in a file next to the database, so that the list survives the loss of the database. An erasure that
 * only the file has was undone by a backup, so it is repeated. The caller runs `forget` afterwards.
 *
 * @param by a user of the operating system, or `retention`
 * @throws {StoreError}
 */
export async function keepErasures(sql: Sql, dataDir: string, by: string): Promise<KeptErasures> {
  const file = join(dataDir, `erasures-${await storeName(sql.query)}.jsonl`);
  // Before the database, or an erasure that is committed in between would look undone.
  const text = readText(file);
  const stored = await withdrawals(sql.query);
  const ids = new Set(stored.map(({ id }) => id));
  const since = destructionExpiry(Date.now());
  const lost = parse(file, text ?? '').filter(({ id, at }) => !ids.has(id) && at >= since);
  const erased = lost.length > 0 ? await sql.transact((query) => repeat(query, lost, by)) : 0;
  const lines = [...stored, ...lost].map((erasure) => `${JSON.stringify(erasure)}\n`);
  if (lines.join('') !== text) write(dataDir, file, lines.join(''));
  return { file, known: text !== undefined, erased };
}

function readText(file: string): string | undefined {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  } catch (error) {
    throw storeError(`${file} cannot be read`, error);
  }
}

const erasureSchema: z.ZodType<Destruction> = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  reason: z.literal('withdrawal'),
  lead: z.int(),
  categories: z.array(z.string()),
  phoneHash: z.string(),
});

function parse(file: string, text: string): Destruction[] {
  const lines = text.split('\n').filter((line) => line !== '');
  try {
    return lines.map((line) => erasureSchema.parse(JSON.parse(line)));
  } catch {
    throw new StoreError(`${file} is damaged: put its copy there, or move it away and repeat every erasure in it`);
  }
}

function write(dataDir: string, file: string, text: string): void {
  try {
    makeFolder(dataDir);
    replaceFile(file, text, 0o600);
  } catch (error) {
    throw storeError(`${file} cannot be written`, error);
  }
}

async function repeat(query: Query, lost: readonly Destruction[], by: string): Promise<number> {
  const hashPhone = await phoneHasher(query);
  const erasures = Map.groupBy(lost, ({ phoneHash }) => phoneHash);
  // The number finds a lead that came under a clock that was ahead.
  const isUndone = ({ number, phone, receivedAt }: LeadKey) =>
    erasures.get(hashPhone(phone))?.some(({ at, lead }) => receivedAt <= at || number === lead);
  const leads = await query<LeadKey>('SELECT number, phone, received_at AS "receivedAt" FROM lead');
  const undone = leads.filter(isUndone);
  for (const { number } of undone) await destroyLeads(query, 'number = $1', [number], { by, reason: 'restored' });
  for (const erasure of lost) await addDestruction(query, erasure);
  return undone.length;
}

type LeadKey = Pick<Lead, 'number' | 'phone' | 'receivedAt'>;

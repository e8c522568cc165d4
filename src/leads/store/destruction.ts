import { createHmac, randomUUID } from 'node:crypto';
import { hashOf } from '../../lib/hash.ts';
import { type Lead, type LeadRow, leadColumns, type Range, strippedDetails, toLead } from './lead.ts';
import { leadFields } from './lead-fields.ts';
import type { Query, Sql, Value } from './sql.ts';

/** Evidence that data of a lead was destroyed. It contains no personal data. */
export type Destruction = {
  id: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** A user of the operating system, or `retention`. */
  by: string;
  /**
   * `withdrawal`: the person asked for it. `age`: the data was kept for long enough. `restored`: a backup brought back what
   * a withdrawal had erased.
   */
  reason: 'withdrawal' | 'age' | 'restored';
  lead: number;
  /** Fields of the lead; another release may have others. */
  categories: readonly string[];
  /** Answers whether data of a given phone was destroyed. */
  phoneHash: string;
};

export type Destructions = ReturnType<typeof destructionsIn>;

/** Oldest first. */
export function destructionsIn({ query }: Sql) {
  return {
    within: ({ since, until }: Required<Range>) => select(query, 'at >= $1 AND at < $2', [since, until]),
    ofPhone: async (phone: string) => select(query, 'phone_hash = $1', [(await phoneHasher(query))(phone)]),
  };
}

export function withdrawals(query: Query): Promise<Destruction[]> {
  return select(query, 'reason = $1', ['withdrawal']);
}

type DestructionRow = Omit<Destruction, 'categories'> & { categories: string };

async function select(query: Query, where: string, values: readonly Value[]): Promise<Destruction[]> {
  const rows = await query<DestructionRow>(
    `SELECT id, at, destroyed_by AS "by", reason, lead, categories, phone_hash AS "phoneHash"
     FROM destruction WHERE ${where} ORDER BY at, lead`,
    values,
  );
  return rows.map((row) => ({ ...row, categories: JSON.parse(row.categories) }));
}

/**
 * The hash keeps phones out of the records, but not from an attacker who has the key of the same database and time for all
 * ten billion phones.
 */
export async function phoneHasher(query: Query): Promise<(phone: string) => string> {
  const key = await readKey(query);
  return (phone) => createHmac('sha256', key).update(phone).digest('hex');
}

async function readKey(query: Query): Promise<string> {
  const [secret] = await query<{ key: string }>('SELECT phone_key AS key FROM secret');
  if (secret === undefined) throw new Error('The database has no key for phones, which its first start makes.');
  return secret.key;
}

/** @returns the same name for a database, its replicas, its backups and what is restored from them */
export async function storeName(query: Query): Promise<string> {
  return hashOf(await readKey(query)).slice(0, 8);
}

type DataCategory = keyof typeof strippedDetails | keyof typeof leadFields | (typeof evidence)[number] | 'events';

const evidence = ['receivedAt', 'preset', 'page', 'consent'] as const;
const details = [...Object.keys(strippedDetails), 'events'] as DataCategory[];

/** What is known of a person. The other fields of a lead describe the work of staff. */
const dataCategories = {
  details,
  all: [...new Set([...(Object.keys(leadFields) as DataCategory[]), ...details, ...evidence])],
};

/**
 * Deletes leads with all that refers to them.
 *
 * @param query belongs to a transaction
 * @param where a condition for the table `lead`
 * @returns how many there were
 */
export async function destroyLeads(
  query: Query,
  where: string,
  values: readonly Value[],
  by: Pick<Destruction, 'by' | 'reason'>,
): Promise<number> {
  // Deliveries first, as a claim locks them before their leads; otherwise both would wait for each other.
  await query(`DELETE FROM delivery WHERE lead IN (SELECT number FROM lead WHERE ${where})`, values);
  const rows = await query<LeadRow>(`DELETE FROM lead WHERE ${where} RETURNING ${leadColumns}`, values);
  await recordDestruction(query, { ...by, leads: rows.map(toLead), destroyed: 'all' });
  return rows.length;
}

type Destroyed = Pick<Destruction, 'by' | 'reason'> & {
  /** With the data that is destroyed. */
  leads: readonly Lead[];
  destroyed: keyof typeof dataCategories;
};

/** `query` belongs to the transaction that destroys the data. */
export async function recordDestruction(query: Query, { by, reason, leads, destroyed }: Destroyed): Promise<void> {
  const hashPhone = await phoneHasher(query);
  const at = new Date().toISOString();
  for (const lead of leads) {
    const categories = dataCategories[destroyed].filter((name) => isPresent(lead[name]));
    if (categories.length === 0) continue;
    const { number, phone } = lead;
    const record = { id: randomUUID(), at, by, reason, lead: number, categories, phoneHash: hashPhone(phone) };
    await addDestruction(query, record);
  }
}

function isPresent(value: Lead[DataCategory]): boolean {
  if (value === null || value === '') return false;
  return typeof value === 'string' || Object.keys(value).length > 0;
}

export async function addDestruction(query: Query, destruction: Destruction): Promise<void> {
  const { id, at, by, reason, lead, categories, phoneHash } = destruction;
  await query(
    `INSERT INTO destruction (id, at, destroyed_by, reason, lead, categories, phone_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [id, at, by, reason, lead, JSON.stringify(categories), phoneHash],
  );
}

/** By order no. 179 of Roskomnadzor. */
const yearsKept = 3;

/** @returns the instant before which records have been kept for long enough */
export function destructionExpiry(now: number): string {
  const day = new Date(now);
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCFullYear(day.getUTCFullYear() - yearsKept);
  return day.toISOString();
}

export async function removeOldDestructions(query: Query, now: number): Promise<void> {
  await query('DELETE FROM destruction WHERE at < $1', [destructionExpiry(now)]);
}

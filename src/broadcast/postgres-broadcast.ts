import type { Postgres } from '../database/postgres.ts';
import type { OutageReport } from '../lib/outage.ts';
import { type BroadcastState, cached, type StoredBroadcast } from './broadcast.ts';

/** What the operator has set, the same for all processes that share the database. */
export function postgresBroadcast({ query }: Postgres, options: { report?: OutageReport } = {}): StoredBroadcast {
  async function read(): Promise<BroadcastState> {
    const { rows } = await query<{ status: boolean; url: string }>('SELECT status, url FROM broadcast');
    return rows[0]?.status ? { status: true, url: rows[0].url } : { status: false };
  }

  async function set(state: BroadcastState): Promise<void> {
    await query(
      `INSERT INTO broadcast (id, status, url) VALUES (1, $1, $2)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, url = excluded.url`,
      [state.status, state.status ? state.url : ''],
    );
  }

  return { ...cached(read, { cacheMs: 1_000, ...options }), read, set };
}

import type { OutageReport } from '../../lib/outage.ts';
import { type BroadcastState, broadcastOff, cachedBroadcast, type StoredBroadcast } from '../../model/broadcast.ts';
import type { Sql } from './sql.ts';

export function storedBroadcast({ query }: Sql, { report }: { report?: OutageReport } = {}): StoredBroadcast {
  async function read(): Promise<BroadcastState> {
    const [row] = await query<{ status: unknown; url: string; until: string | null }>(
      'SELECT status, url, ends_at AS until FROM broadcast',
    );
    if (!row?.status) return broadcastOff;
    const { url, until } = row;
    if (until === null) return { status: true, url };
    return Date.parse(until) > Date.now() ? { status: true, url, until } : broadcastOff;
  }

  async function set(state: BroadcastState): Promise<void> {
    await query(
      `INSERT INTO broadcast (id, status, url, ends_at) VALUES (1, $1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, url = excluded.url, ends_at = excluded.ends_at`,
      [state.status ? 1 : 0, state.url ?? '', (state.status && state.until) || null],
    );
  }

  return { ...cachedBroadcast(read, 1_000, report), read, set };
}

import * as z from 'zod';
import type { Sql } from '../database/sql.ts';
import { type OutageReport, outage } from '../lib/outage.ts';

/** Whether a live broadcast is on, and where. */
export type BroadcastState = { status: true; url: string } | { status: false; url?: undefined };

/** What the site asks; how it came to know is its own affair. */
export interface Broadcast {
  /** Never rejects: while the source fails, it is the last state that was known, or off. */
  current(): Promise<BroadcastState>;
}

/** What the operator sets, kept in a database; `current` sees a change within a second. */
export interface StoredBroadcast extends Broadcast {
  /** @throws {StoreError} */
  read(): Promise<BroadcastState>;
  /** Resolves once the state is on disk. @throws {StoreError} */
  set(state: BroadcastState): Promise<void>;
}

const off: BroadcastState = { status: false };

/** A state as it comes from outside; while nothing is broadcast, its url is not used. */
export const broadcastSchema: z.ZodType<BroadcastState> = z.union([
  z.object({ status: z.literal(true), url: z.url({ protocol: /^https?$/ }) }),
  z.object({ status: z.literal(false) }).transform(() => off),
]);

/** What the operator has set, the same for all processes that share the database. */
export function storedBroadcast({ ask, run }: Sql, options: { report?: OutageReport } = {}): StoredBroadcast {
  async function read(): Promise<BroadcastState> {
    const [row] = await ask<{ status: unknown; url: string }>('SELECT status, url FROM broadcast');
    return row?.status ? { status: true, url: row.url } : off;
  }

  async function set({ status, url = '' }: BroadcastState): Promise<void> {
    await run(
      `INSERT INTO broadcast (id, status, url) VALUES (1, :status, :url)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, url = excluded.url`,
      { status: status ? 1 : 0, url },
    );
  }

  return { ...cached(read, { cacheMs: 1_000, ...options }), read, set };
}

/** What another server says at `GET {base}/video-broadcast`. */
export function upstreamBroadcast(options: {
  /** Its address without a trailing slash. */
  base: string;
  fetch?: typeof globalThis.fetch;
  /** How long an answer may take, its body included. */
  timeoutMs?: number;
  /** How long an answer holds, and how long a failure is not tried again. */
  cacheMs?: number;
  report?: OutageReport;
}): Broadcast {
  const { base, fetch = globalThis.fetch, timeoutMs = 2_000, cacheMs = 5_000, report } = options;

  async function ask(): Promise<BroadcastState> {
    const address = `${base}/video-broadcast`;
    const answer = await fetch(address, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new Error(`${address} answered with status ${answer.status}`);
    }
    const parsed = broadcastSchema.safeParse(await answer.json());
    if (parsed.success) return parsed.data;
    throw new Error(`${address} answered something else than {"status": boolean, "url": "https://…"}`);
  }

  return cached(ask, report ? { cacheMs, report } : { cacheMs });
}

/** Asks the source at most once at a time and once in `cacheMs` milliseconds, whether it answers or fails. */
function cached(
  ask: () => Promise<BroadcastState>,
  { cacheMs, report }: { cacheMs: number; report?: OutageReport },
): Broadcast {
  const source = outage(report ?? (() => {}));
  let known = off;
  let answer: Promise<BroadcastState> | undefined;

  async function refresh(): Promise<BroadcastState> {
    try {
      known = await ask();
      source.over();
    } catch (error) {
      source.failed(error);
    }
    setTimeout(() => {
      answer = undefined;
    }, cacheMs).unref();
    return known;
  }

  return {
    current() {
      answer ??= refresh();
      return answer;
    },
  };
}

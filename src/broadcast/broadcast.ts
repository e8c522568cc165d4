import * as z from 'zod';
import { localTime, minutesOf } from '../lib/calendar.ts';
import { type OutageReport, outage } from '../lib/outage.ts';
import type { Sql } from '../lib/sql.ts';
import { isEmbeddable, playerOf } from '../model/player.ts';
import { instant } from '../model/working-hours.ts';

/** `until`: when it turns off by itself. */
export type BroadcastState = { status: true; url: string; until?: string } | { status: false; url?: undefined };

export interface Broadcast {
  /** Never rejects: while the source fails, it returns the last known state, and off after five minutes. */
  current(): Promise<BroadcastState>;
}

/** Set by the operator; `current` sees changes within a second. */
export interface StoredBroadcast extends Broadcast {
  /** @throws {StoreError} */
  read(): Promise<BroadcastState>;
  /** Resolves once the state is on disk. @throws {StoreError} */
  set(state: BroadcastState): Promise<void>;
}

const off: BroadcastState = { status: false };

export const broadcastSchema: z.ZodType<BroadcastState> = z.union([
  z.object({ status: z.literal(true), url: z.url({ protocol: /^https?$/ }) }),
  z.object({ status: z.literal(false) }).transform(() => off),
]);

export function storedBroadcast({ query }: Sql, options: { report?: OutageReport } = {}): StoredBroadcast {
  async function read(): Promise<BroadcastState> {
    const [row] = await query<{ status: unknown; url: string; until: string | null }>(
      'SELECT status, url, ends_at AS until FROM broadcast',
    );
    if (!row?.status) return off;
    const { url, until } = row;
    if (until === null) return { status: true, url };
    return Date.parse(until) > Date.now() ? { status: true, url, until } : off;
  }

  async function set(state: BroadcastState): Promise<void> {
    await query(
      `INSERT INTO broadcast (id, status, url, ends_at) VALUES (1, $1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, url = excluded.url, ends_at = excluded.ends_at`,
      [state.status ? 1 : 0, state.url ?? '', (state.status && state.until) || null],
    );
  }

  return { ...cached(read, { cacheMs: 1_000, ...options }), read, set };
}

/** `linkedOnly`: why pages cannot embed it. */
export type Announced = { url: string; linkedOnly: 'not https' | 'host' | undefined };

/**
 * @param hosts that pages may embed
 * @returns `undefined` unless the address is http or https
 */
export function announce(address: string, hosts: readonly string[] | undefined): Announced | undefined {
  const read = broadcastSchema.safeParse({ status: true, url: playerOf(address) });
  if (!(read.success && read.data.status)) return undefined;
  const { url } = read.data;
  if (isEmbeddable(url, hosts)) return { url, linkedOnly: undefined };
  return { url, linkedOnly: new URL(url).protocol === 'https:' ? 'host' : 'not https' };
}

/**
 * @param time `18:00`, local
 * @returns an instant; `undefined` if the time is malformed or past
 */
export function laterToday(time: string, now: Date, timeZone: string): string | undefined {
  const { date, minutes } = localTime(now, timeZone);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time) || minutesOf(time) <= minutes) return undefined;
  return new Date(instant(date, time, timeZone)).toISOString();
}

/** Polls `GET {base}/video-broadcast` of another server. */
export function upstreamBroadcast(options: {
  /** Without a trailing slash. */
  base: string;
  fetch?: typeof globalThis.fetch;
  /** Includes reading the body. */
  timeoutMs?: number;
  /** Also the pause after a failure. */
  cacheMs?: number;
  /** How long the last known state is used while requests fail. */
  believeMs?: number;
  report?: OutageReport;
}): Broadcast {
  const { base, fetch = globalThis.fetch, timeoutMs = 2_000, cacheMs = 5_000, ...rest } = options;

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

  return cached(ask, { cacheMs, ...rest });
}

type CacheOptions = { cacheMs: number; believeMs?: number; report?: OutageReport };

/** At most one request at a time, and one per `cacheMs`. */
function cached(
  ask: () => Promise<BroadcastState>,
  { cacheMs, believeMs = 300_000, report = () => {} }: CacheOptions,
): Broadcast {
  const source = outage(report);
  let known = off;
  let knownAt = 0;
  let answer: Promise<BroadcastState> | undefined;

  async function refresh(): Promise<BroadcastState> {
    try {
      known = await ask();
      knownAt = performance.now();
      source.over();
    } catch (error) {
      source.failed(error);
      // Do not announce a broadcast that may be over.
      if (performance.now() - knownAt > believeMs) known = off;
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

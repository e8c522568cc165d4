import * as z from 'zod';
import { localTime, minutesOf } from '../../lib/calendar.ts';
import { minuteMs } from '../../lib/durations.ts';
import { type OutageReport, outage } from '../../lib/outage.ts';
import type { Sql } from '../../lib/sql.ts';
import { isEmbeddable, isVideoSitePage, playerOf } from '../../model/player-address.ts';
import { instant } from '../../model/working-hours.ts';

/** `until`: when it turns off. */
export type BroadcastState =
  | { status: true; url: string; until?: string | undefined }
  | { status: false; url?: undefined };

export interface Broadcast {
  /** Never rejects: while the source fails, returns the last known state, and off after five minutes. */
  current(): Promise<BroadcastState>;
}

/** Set by the operator; `current` sees changes within a second. */
export interface StoredBroadcast extends Broadcast {
  read(): Promise<BroadcastState>;
  /** Resolves once the state is on disk. */
  set(state: BroadcastState): Promise<void>;
}

const off: BroadcastState = { status: false };

const broadcastSchema: z.ZodType<BroadcastState> = z.union([
  z.object({ status: z.literal(true), url: z.url({ protocol: /^https?$/ }).transform(playerOf) }),
  z.object({ status: z.literal(false) }).transform(() => off),
]);

export function storedBroadcast({ query }: Sql, { report }: { report?: OutageReport } = {}): StoredBroadcast {
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

  return { ...cached(read, 1_000, report), read, set };
}

/** @returns the player of a video page; `undefined` unless the address is http or https */
export function broadcastUrl(address: string): string | undefined {
  return broadcastSchema.safeParse({ status: true, url: playerOf(address) }).data?.url;
}

/** @returns what pages need to show the address, instead of linking to it */
export function embeddingProblem(url: string, hosts: readonly string[] | undefined): string | undefined {
  if (isEmbeddable(url, hosts)) return undefined;
  const { host } = new URL(url);
  const reason = isVideoSitePage(url)
    ? `it is a page of ${host} and no video. Give the address of the video itself.`
    : `it must be https, and VIDEO_HOSTS must have ${host}.`;
  return `The site links to ${url} and does not show it: ${reason}`;
}

/** @param time `18:00`, local; malformed or past times give `undefined` */
export function laterToday(time: string, now: Date, timeZone: string): string | undefined {
  const { date, minutes } = localTime(now, timeZone);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time) || minutesOf(time) <= minutes) return undefined;
  return new Date(instant(date, time, timeZone)).toISOString();
}

type UpstreamOptions = {
  base: string;
  /** Includes reading the body. */
  timeoutMs?: number;
  /** Also the pause after a failure. */
  cacheMs?: number;
  report?: OutageReport;
};

export function upstreamBroadcast(options: UpstreamOptions): Broadcast {
  const { base, timeoutMs = 2_000, cacheMs = 5_000, report } = options;
  const address = `${base}/video-broadcast`;

  async function ask(): Promise<BroadcastState> {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${address} answered with status ${response.status}`);
    }
    const { data } = broadcastSchema.safeParse(await response.json());
    if (data === undefined) {
      throw new Error(`${address} answered something else than {"status": boolean, "url": "https://…"}`);
    }
    return data;
  }

  return cached(ask, cacheMs, report);
}

/** Later the broadcast may be over. */
const maxStateAgeMs = 5 * minuteMs;

/** At most one request at a time, and one per `cacheMs`. */
function cached(ask: () => Promise<BroadcastState>, cacheMs: number, report: OutageReport = () => {}): Broadcast {
  const source = outage(report);
  let known = off;
  let knownAt = 0;
  let state: Promise<BroadcastState> | undefined;

  async function refresh(): Promise<BroadcastState> {
    try {
      known = await ask();
      knownAt = performance.now();
      source.over();
    } catch (error) {
      source.failed(error);
      if (performance.now() - knownAt > maxStateAgeMs) known = off;
    }
    setTimeout(() => {
      state = undefined;
    }, cacheMs).unref();
    return known;
  }

  return {
    current() {
      state ??= refresh();
      return state;
    },
  };
}

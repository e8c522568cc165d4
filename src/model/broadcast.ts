import * as z from 'zod';
import { localTime, minutesOf } from '../lib/calendar.ts';
import { minuteMs } from '../lib/durations.ts';
import { type OutageReport, outage } from '../lib/outage.ts';
import { isEmbeddable, isVideoSitePage, playerOf } from './player-address.ts';
import { instant } from './working-hours.ts';

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

export const broadcastOff: BroadcastState = { status: false };

export const broadcastSchema: z.ZodType<BroadcastState> = z.union([
  z.object({ status: z.literal(true), url: z.url({ protocol: /^https?$/ }).transform(playerOf) }),
  z.object({ status: z.literal(false) }).transform(() => broadcastOff),
]);

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

/** Later the broadcast may be over. */
const maxStateAgeMs = 5 * minuteMs;

/** At most one request at a time, and one per `cacheMs`. */
export function cachedBroadcast(
  ask: () => Promise<BroadcastState>,
  cacheMs: number,
  report: OutageReport = () => {},
): Broadcast {
  const source = outage(report);
  let known = broadcastOff;
  let knownAt = 0;
  let state: Promise<BroadcastState> | undefined;

  async function refresh(): Promise<BroadcastState> {
    try {
      known = await ask();
      knownAt = performance.now();
      source.over();
    } catch (error) {
      source.failed(error);
      if (performance.now() - knownAt > maxStateAgeMs) known = broadcastOff;
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

import type { OutageReport } from '../lib/outage.ts';
import { type Broadcast, type BroadcastState, broadcastSchema, cachedBroadcast } from '../model/broadcast.ts';

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

  return cachedBroadcast(ask, cacheMs, report);
}

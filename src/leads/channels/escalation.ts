import type { Logger } from 'pino';
import { localTime } from '../../lib/calendar.ts';
import { outage } from '../../lib/outage.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import type { Company } from '../../model/content.ts';
import { afterWorkingMinutes, callsFrom, nextOpening } from '../../model/working-hours.ts';
import type { Deliveries, Untaken } from '../store/deliveries.ts';
import type { Plan } from '../store/lead.ts';
import { maxJoined } from './channel.ts';

type WorkingHours = Company['workingHours'];

/** Working minutes after which one more channel is notified of an untaken lead. */
const escalationMinutes = [3, 6, 9] as const;

const pollIntervalMs = 5_000;

/** Leads per digest; a flood of spam waits for later ones. */
const maxDigestLeads = 5 * maxJoined;

/** Names of channels notified at once, and reminded in turn while a lead is untaken. */
type ChannelOrder = { atOnce: readonly string[]; inTurn: readonly string[] };

/** @param later channels only reminded, in order; if empty, all take turns */
export function orderChannels(channels: readonly string[], later: readonly string[]): ChannelOrder {
  return { atOnce: channels.filter((name) => !later.includes(name)), inTurn: later.length > 0 ? later : channels };
}

/** @param at when the first channels are notified */
export function planFor(at: Date, quarantined: boolean, { atOnce, inTurn }: ChannelOrder, hours: WorkingHours): Plan {
  const [first = 0] = escalationMinutes;
  const from = inTurn.length > 0 ? callsFrom(hours, at) : undefined;
  const escalateAt = from && afterWorkingMinutes(hours, from, first);
  return { quarantined, channels: atOnce, notifyAt: at.toISOString(), escalateAt: escalateAt?.toISOString() ?? null };
}

/** False if it is not in quarantine. The caller wakes the outbox. */
export function releaseLead(
  deliveries: Deliveries,
  number: number,
  channelOrder: ChannelOrder,
  hours: WorkingHours,
): Promise<boolean> {
  return deliveries.release(number, planFor(new Date(), false, channelOrder, hours));
}

/** `2026-11-20`; `undefined` outside working hours. */
export function quarantineDigestDay(hours: WorkingHours, at: Date): string | undefined {
  return nextOpening(hours, at)?.open ? localTime(at, hours.timeZone).date : undefined;
}

/** Escalates untaken leads and sends the digest once each working day. */
export function startEscalation(options: {
  deliveries: Deliveries;
  channelOrder: ChannelOrder;
  digestChannels: readonly string[];
  hours: () => WorkingHours;
  logger: Logger;
  wake: () => void;
}): Repetition {
  const { deliveries, channelOrder, digestChannels, hours, logger, wake } = options;
  let lastDigestDay: string | undefined;
  const storeOutage = outage((error) => {
    if (error) logger.error({ err: error }, 'untaken leads cannot be read, retrying');
    else logger.info('untaken leads can be read again');
  });

  async function poll(): Promise<void> {
    try {
      for (const untaken of await deliveries.untaken(new Date().toISOString(), 100)) await escalate(untaken);
      await sendQuarantineDigest(quarantineDigestDay(hours(), new Date()));
      storeOutage.over();
    } catch (error) {
      storeOutage.failed(error);
    }
  }

  async function escalate(untaken: Untaken): Promise<void> {
    const { lead, step } = untaken;
    const channel = channelOrder.inTurn[step % channelOrder.inTurn.length];
    if (channel === undefined) return;
    // A lead from quarantine has only waited since its release, so the difference between steps counts.
    const pause = (escalationMinutes[step + 1] ?? 0) - (escalationMinutes[step] ?? 0);
    const next = pause > 0 ? afterWorkingMinutes(hours(), new Date(), pause) : undefined;
    if (!(await deliveries.escalate(untaken, channel, next?.toISOString() ?? null))) return;
    logger.warn({ lead: lead.number, step: step + 1 }, 'lead not taken; escalated to the next channel');
    wake();
  }

  async function sendQuarantineDigest(day: string | undefined): Promise<void> {
    if (day === undefined || day === lastDigestDay || digestChannels.length === 0) return;
    const count = await deliveries.queueQuarantineDigest(day, digestChannels, maxDigestLeads);
    lastDigestDay = day;
    if (count === 0) return;
    logger.info({ count }, 'quarantine digest sent');
    wake();
  }

  return repeatedly(poll, pollIntervalMs);
}

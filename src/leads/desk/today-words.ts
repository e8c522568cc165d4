import { minuteMs } from '../../lib/durations.ts';
import { plural } from '../../lib/plural.ts';
import { callsFrom, type WorkingHours, workingMs } from '../../model/working-hours.ts';
import type { Lead } from '../store/lead.ts';

/**
 * «Сегодня 12 заявок, разобрали за 2 мин (медиана), дольше 10 минут - 1», in working minutes and without quarantine.
 *
 * @param received today
 */
export function todayWords(received: readonly Lead[], hours: WorkingHours, now: Date): string {
  const leads = received.filter(({ state }) => state !== 'quarantined');
  if (leads.length === 0) return 'Сегодня заявок ещё нет.';
  const waits = leads.map((lead) => waitBefore(lead, hours, now));
  const takenAfter = waits.flatMap(({ taken, ms }) => (taken ? ms : [])).toSorted((a, b) => a - b);
  const median = takenAfter[Math.floor((takenAfter.length - 1) / 2)];
  const late = waits.filter(({ ms }) => ms > hours.callWithin * minuteMs).length;
  const parts = [
    `Сегодня ${leads.length} ${plural(leads.length, ['заявка', 'заявки', 'заявок'])}`,
    median === undefined ? 'ещё ни одну не разобрали' : `разобрали за ${Math.round(median / minuteMs)} мин (медиана)`,
    `дольше ${hours.callWithin} ${plural(hours.callWithin, ['минуты', 'минут', 'минут'])} - ${late}`,
  ];
  return `${parts.join(', ')}.`;
}

/** How long a visitor waited, or has waited so far, until the lead was first taken or closed. */
function waitBefore({ receivedAt, events }: Lead, hours: WorkingHours, now: Date): { taken: boolean; ms: number } {
  const released = events.find(({ kind }) => kind === 'release');
  const taken = events.find(({ kind }) => kind === 'take' || kind === 'notOurs');
  const from = callsFrom(hours, new Date(released?.at ?? receivedAt));
  const until = taken ? new Date(taken.at) : now;
  return { taken: taken !== undefined, ms: from ? workingMs(hours, from, until) : 0 };
}

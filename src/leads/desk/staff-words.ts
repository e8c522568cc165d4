import { minuteMs } from '../../lib/durations.ts';
import { formatDuration, momentOf } from '../../lib/format.ts';
import { tidyLine } from '../../lib/tidy.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { channelWords } from '../channels/configured.ts';
import { doubtWords, shortMoment } from '../channels/lead-words.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { Lead } from '../store/lead.ts';

/** `Анна`, `по ссылке из письма на sales@example.ru`. */
function takerOf(takenBy: string | null): string {
  const [kind = '', whom] = (takenBy ?? '').split(':');
  if (kind === 'desk') return `${whom}`;
  return `${channelWords(kind).taken}${whom === undefined ? '' : ` на ${whom}`}`;
}

/** Ends a sentence: `: Анна`, ` по ссылке из письма на sales@example.ru`. */
function byTaker({ takenBy }: Lead): string {
  return `${takenBy?.startsWith('desk:') ? ':' : ''} ${takerOf(takenBy)}`;
}

/** `undefined` until the lead is taken. */
export function takenWords(lead: Lead, timeZone: string): string | undefined {
  return lead.takenAt === null ? undefined : `Заявку взяли ${momentOf(lead.takenAt, timeZone)}${byTaker(lead)}.`;
}

export function historyOf(lead: Lead, now: Date, timeZone: string): string {
  const came = `Пришла ${shortMoment(lead.receivedAt, now, timeZone)}`;
  if (lead.takenAt !== null) return `${came}, взята ${shortMoment(lead.takenAt, now, timeZone)}${byTaker(lead)}`;
  return lead.state === 'quarantined' ? `${came}, в карантине` : came;
}

/** «ждёт 1 ч 5 мин», until the lead is taken. */
export function waitOf({ state, receivedAt }: Lead, now: Date): string | undefined {
  const minutes = Math.floor((now.getTime() - Date.parse(receivedAt)) / minuteMs);
  if (state !== 'new' || minutes < 1) return undefined;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `ждёт ${Math.floor(hours / 24)}\u00A0дн.`;
  return `ждёт ${formatDuration(hours > 0 ? `PT${hours}H${minutes % 60}M` : `PT${minutes}M`)}`;
}

const states: Readonly<Record<Lead['state'], string>> = { new: 'ждёт', taken: 'взята', quarantined: 'в карантине' };

/** Russian texts for internal names in the desk's download. */
export function cellWords({ state, takenBy, preset, signals }: Lead, content: Content) {
  return {
    state: states[state],
    takenBy: takenBy === null ? '' : takerOf(takenBy),
    preset: tidyLine(presetTitle(content, preset)),
    signals: doubtWords(signals),
  };
}

const outcomes: Readonly<Record<DeliveryRecord['state'], string>> = {
  waiting: 'ещё не доставлено, попробуем',
  delivered: 'доставлено',
  dead: 'не доставлено, больше не пробуем; последний раз',
};

export function deliveryWords({ channel, state, at }: DeliveryRecord, now: Date, timeZone: string): string {
  const [kind = '', whom = ''] = channel.split(':');
  const name = `${channelWords(kind).name} ${whom}`.trim();
  return `${name}: ${outcomes[state]} ${shortMoment(at, now, timeZone)}`;
}

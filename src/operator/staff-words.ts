import { formatDuration } from '../design/format.ts';
import { channelWords } from '../leads/channels/configured.ts';
import { doubtWords, momentOf, shortMoment } from '../leads/channels/wording.ts';
import type { DeliveryRecord } from '../leads/store/deliveries.ts';
import type { Lead } from '../leads/store/lead.ts';
import { minuteMs } from '../lib/calendar.ts';
import { tidyLine } from '../lib/tidy.ts';
import type { Content } from '../model/content.ts';
import { presetTitle } from '../model/preset-title.ts';

/** Who has taken a lead, or by what: `Анна`, `по ссылке из письма на sales@example.ru`. */
function takerOf(takenBy: string | null): string {
  const [kind = '', whom] = (takenBy ?? '').split(':');
  if (kind === 'desk') return `${whom}`;
  return `${channelWords(kind).taken}${whom === undefined ? '' : ` на ${whom}`}`;
}

/** The end of a sentence about that: `: Анна`, ` по ссылке из письма на sales@example.ru`. */
function byTaker({ takenBy }: Lead): string {
  return `${takenBy?.startsWith('desk:') ? ':' : ''} ${takerOf(takenBy)}`;
}

/** Who has a lead, and since when, as a sentence; `undefined` while nobody has. */
export function takenWords(lead: Lead, timeZone: string): string | undefined {
  return lead.takenAt === null ? undefined : `Заявку взяли ${momentOf(lead.takenAt, timeZone)}${byTaker(lead)}.`;
}

/** When a lead came, and what became of it, as a line. */
export function historyOf(lead: Lead, now: Date, timeZone: string): string {
  const came = `Пришла ${shortMoment(lead.receivedAt, now, timeZone)}`;
  if (lead.takenAt !== null) return `${came}, взята ${shortMoment(lead.takenAt, now, timeZone)}${byTaker(lead)}`;
  if (lead.state === 'quarantined') return `${came}, в карантине`;
  const waited = Math.floor((now.getTime() - Date.parse(lead.receivedAt)) / minuteMs);
  const hours = Math.floor(waited / 60);
  // What came a day ago has its date.
  if (waited < 1 || hours >= 24) return came;
  return `${came}, ждёт ${formatDuration(hours > 0 ? `PT${hours}H${waited % 60}M` : `PT${waited}M`)}`;
}

const states: Readonly<Record<Lead['state'], string>> = { new: 'ждёт', taken: 'взята', quarantined: 'в карантине' };

/** Cells of the table that a person at the desk downloads, where the store has names of the program. */
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

/** To whom a message about a lead goes, and what became of it. */
export function deliveryWords({ channel, state, at }: DeliveryRecord, now: Date, timeZone: string): string {
  const [kind = '', whom = ''] = channel.split(':');
  const name = `${channelWords(kind).name} ${whom}`.trim();
  return `${name}: ${outcomes[state]} ${shortMoment(at, now, timeZone)}`;
}

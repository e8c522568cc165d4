import { minuteMs } from '../../lib/durations.ts';
import { formatDuration, momentOf } from '../../lib/format.ts';
import { tidyLine } from '../../lib/tidy.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { channelWords } from '../channels/configured.ts';
import { doubtWords, shortMoment } from '../channels/lead-words.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { Lead, LeadEvent } from '../store/lead.ts';

/** `Анна`, `по ссылке из письма на sales@example.ru`. */
function personOf(by: string): string {
  const [kind = '', whom] = by.split(':');
  if (kind === 'desk') return `${whom}`;
  if (kind === 'command') return 'командой на сервере';
  return `${channelWords(kind).taken}${whom === undefined ? '' : ` на ${whom}`}`;
}

/** Ends a sentence: `: Анна`, ` по ссылке из письма на sales@example.ru`. */
function byPerson({ by }: Pick<LeadEvent, 'by'>): string {
  return `${by.startsWith('desk:') ? ':' : ''} ${personOf(by)}`;
}

/** `undefined` while the lead waits. */
export function stateWords(lead: Lead, timeZone: string): string | undefined {
  const last = stateEvent(lead);
  return last && `${doneWords[last.kind]} ${momentOf(last.at, timeZone)}${byPerson(last)}.`;
}

const doneWords = { take: 'Заявку взяли', talked: 'Поговорили', notOurs: 'Заявка не наша, отметили' } as const;

type StateEvent = LeadEvent & { kind: keyof typeof doneWords };

/** What made the lead taken or done. */
function stateEvent({ state, events }: Lead): StateEvent | undefined {
  if (state !== 'taken' && state !== 'done') return undefined;
  return events.findLast((event): event is StateEvent => event.kind in doneWords);
}

/** «Перезвонить в 15:30» */
export function plannedWords({ since }: Pick<Lead, 'since'>, now: Date, timeZone: string): string {
  return `Перезвонить ${shortMoment(since, now, timeZone)}`;
}

const historyWords = { take: 'взята', talked: 'поговорили', notOurs: 'не наша' } as const;

export function historyOf(lead: Lead, now: Date, timeZone: string): string {
  const came = `Пришла ${shortMoment(lead.receivedAt, now, timeZone)}`;
  const last = stateEvent(lead);
  if (last) return `${came}, ${historyWords[last.kind]} ${shortMoment(last.at, now, timeZone)}${byPerson(last)}`;
  if (lead.state === 'quarantined') return `${came}, в карантине`;
  return lead.since > now.toISOString() ? `${came}, перезвонить ${shortMoment(lead.since, now, timeZone)}` : came;
}

/** For the history: `Анна, в 10:05`, and what was done unless it is a note. */
export function eventWords(event: LeadEvent, now: Date, timeZone: string) {
  const { at, by } = event;
  return { person: personOf(by), moment: shortMoment(at, now, timeZone), what: whatOf(event, now, timeZone) };
}

function whatOf({ kind, text }: LeadEvent, now: Date, timeZone: string): string {
  switch (kind) {
    case 'missed':
      return `не дозвонились, перезвонить ${shortMoment(text, now, timeZone)}`;
    case 'resend':
      return `отправлена ещё раз: ${channelName(text)}`;
    default:
      return plainEvents[kind];
  }
}

const plainEvents = {
  note: '',
  release: 'выпущена из карантина',
  take: 'взята',
  talked: 'поговорили',
  notOurs: 'не наша заявка',
  return: 'возвращена в очередь',
} as const;

/** «ждёт 1 ч 5 мин», until the lead is taken. */
export function waitOf({ state, since }: Lead, now: Date): string | undefined {
  const minutes = Math.floor((now.getTime() - Date.parse(since)) / minuteMs);
  if (state !== 'waiting' || minutes < 1) return undefined;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `ждёт ${Math.floor(hours / 24)}\u00A0дн.`;
  return `ждёт ${formatDuration(hours > 0 ? `PT${hours}H${minutes % 60}M` : `PT${minutes}M`)}`;
}

const states: Readonly<Record<Lead['state'], string>> = {
  quarantined: 'в карантине',
  waiting: 'ждёт',
  taken: 'взята',
  done: 'закончена',
};

/** Russian texts for internal names in the desk's download. */
export function cellWords({ state, takenBy, preset, signals, events }: Lead, content: Content, now: Date) {
  const { timeZone } = content.company.workingHours;
  return {
    state: states[state],
    takenBy: takenBy === null ? '' : personOf(takenBy),
    events: events.map((event) => eventLine(event, now, timeZone)).join('\n'),
    preset: tidyLine(presetTitle(content, preset)),
    signals: doubtWords(signals),
  };
}

function eventLine(event: LeadEvent, now: Date, timeZone: string): string {
  const { person, moment, what } = eventWords(event, now, timeZone);
  return `${person}, ${moment}: ${what || event.text}`;
}

const outcomes: Readonly<Record<DeliveryRecord['state'], string>> = {
  waiting: 'ещё не доставлено, попробуем',
  delivered: 'доставлено',
  dead: 'не доставлено, больше не пробуем; последний раз',
};

export function deliveryWords({ channel, state, at }: DeliveryRecord, now: Date, timeZone: string): string {
  return `${channelName(channel)}: ${outcomes[state]} ${shortMoment(at, now, timeZone)}`;
}

/** `Почта sales@example.ru` */
export function channelName(channel: string): string {
  const [kind = '', whom = ''] = channel.split(':');
  return `${channelWords(kind).name} ${whom}`.trim();
}

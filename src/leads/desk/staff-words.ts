import { minuteMs } from '../../lib/durations.ts';
import { formatDuration, momentOf } from '../../lib/format.ts';
import { tidyLine } from '../../lib/tidy.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { channelWords } from '../channels/configured.ts';
import { doubtWords, shortMoment } from '../channels/lead-words.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { ExcelDialect } from '../store/export.ts';
import { type Lead, type LeadEvent, lastChange, type Transition } from '../store/lead.ts';

/** A time in words, or in a cell. */
type Moment = (instant: string) => string;

/** `Анна`, `по ссылке из письма на sales@example.ru`. */
function personOf(by: string): string {
  const [kind, whom] = split(by);
  if (kind === 'desk') return whom;
  if (kind === 'command') return 'командой на сервере';
  return `${channelWords(kind).taken}${whom && ` на ${whom}`}`;
}

/** A name may have colons, too. */
function split(name: string): [kind: string, whom: string] {
  const [kind = '', ...whom] = name.split(':');
  return [kind, whom.join(':')];
}

/** Ends a sentence: `: Анна`, ` по ссылке из письма на sales@example.ru`. */
function byPerson({ by }: Pick<LeadEvent, 'by'>): string {
  return `${by.startsWith('desk:') ? ':' : ''} ${personOf(by)}`;
}

/** `undefined` while the lead waits. */
export function stateWords(lead: Lead, timeZone: string): string | undefined {
  const last = lastChange(lead);
  const what = last && stateNames[last.kind];
  return what && `${what} ${momentOf(last.at, timeZone)}${byPerson(last)}.`;
}

const stateNames: Readonly<Partial<Record<Transition, string>>> = {
  take: 'Заявку взяли',
  talked: 'Поговорили',
  notOurs: 'Заявка не наша, отметили',
};

export function historyOf(lead: Lead, now: Date, timeZone: string): string {
  const { state, receivedAt, since } = lead;
  const moment = (instant: string) => shortMoment(instant, now, timeZone);
  const last = lastChange(lead);
  const isPlanned = state === 'waiting' && (last?.kind === 'missed' || since > now.toISOString());
  const parts = [
    `Пришла ${moment(receivedAt)}`,
    state === 'quarantined' && 'в карантине',
    last && `${eventNames[last.kind]} ${moment(last.at)}${byPerson(last)}`,
    isPlanned && `перезвонить ${moment(since)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** For the history: `Анна`, and what was done unless it is a note. */
export function eventWords(event: LeadEvent, moment: Moment): { person: string; what: string } {
  return { person: personOf(event.by), what: eventNames[event.kind] + detailsOf(event, moment) };
}

function detailsOf({ kind, text }: LeadEvent, moment: Moment): string {
  if (kind === 'missed') return `, перезвонить ${moment(text)}`;
  return kind === 'resend' ? `: ${channelName(text)}` : '';
}

const eventNames: Readonly<Record<LeadEvent['kind'], string>> = {
  note: '',
  release: 'выпущена из карантина',
  take: 'взята',
  talked: 'поговорили',
  notOurs: 'не наша заявка',
  missed: 'не дозвонились',
  return: 'возвращена в очередь',
  resend: 'отправлена ещё раз',
};

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
export function cellWords(content: Pick<Content, 'presets'>, now: Date): ExcelDialect['words'] {
  return ({ state, since, takenBy, preset, signals, events }, moment) => ({
    state: state === 'waiting' && since > now.toISOString() ? 'перезвонить' : states[state],
    takenBy: takenBy === null ? '' : personOf(takenBy),
    events: events.map((event) => eventLine(event, moment)).join('\n'),
    preset: tidyLine(presetTitle(content, preset)),
    signals: doubtWords(signals),
  });
}

function eventLine(event: LeadEvent, moment: Moment): string {
  const { person, what } = eventWords(event, moment);
  return `${moment(event.at)} ${person}: ${what || event.text}`;
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
  const [kind, whom] = split(channel);
  return `${channelWords(kind).name} ${whom}`.trim();
}

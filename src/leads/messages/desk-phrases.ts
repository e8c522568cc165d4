import { localTime, timeOf } from '../../lib/calendar.ts';
import { minuteMs } from '../../lib/durations.ts';
import { formatDay, formatDuration, formatMoment } from '../../lib/format.ts';
import { plural } from '../../lib/plural.ts';
import { tidyLine } from '../../lib/tidy.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { callsFrom, type WorkingHours, workingMs } from '../../model/working-hours.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { ExcelDialect } from '../store/export.ts';
import type { Lead } from '../store/lead.ts';
import { type LeadEvent, lastChange, leadEvents, leadsTo } from '../store/lead-events.ts';
import { signalPhrases } from './lead-facts.ts';

/** A time in words, or in a cell. */
type Moment = (instant: string) => string;

/** The name of a channel, and how a lead was taken through it. */
const channelTitles = {
  mail: { name: 'Почта', taken: 'по ссылке из письма' },
  webhook: { name: 'Вебхук', taken: 'по ссылке из уведомления' },
  telegram: { name: 'Telegram', taken: 'по ссылке из Telegram' },
  max: { name: 'MAX', taken: 'по ссылке из MAX' },
  bitrix24: { name: 'Битрикс24', taken: 'по ссылке из Битрикс24' },
};

export type ChannelType = keyof typeof channelTitles;

/** Also of channels that were removed. A name may have colons, too. */
function channelTitle(channel: string): { name: string; taken: string; to: string } {
  const [type = '', ...to] = channel.split(':');
  const titles: Readonly<Record<string, (typeof channelTitles)[ChannelType]>> = channelTitles;
  return { ...(titles[type] ?? { name: type, taken: channelTitles.webhook.taken }), to: to.join(':') };
}

/** `Почта sales@example.ru` */
export function channelName(channel: string): string {
  const { name, to } = channelTitle(channel);
  return `${name} ${to}`.trim();
}

const desk = 'desk:';

/** `Анна`, `по ссылке из письма на sales@example.ru`. */
function personOf(by: string): string {
  if (by.startsWith(desk)) return by.slice(desk.length);
  if (by === 'command') return 'командой на сервере';
  const { taken, to } = channelTitle(by);
  return `${taken}${to && ` на ${to}`}`;
}

/** Ends a sentence: `: Анна`, ` по ссылке из письма на sales@example.ru`. */
function byPerson({ by }: LeadEvent): string {
  return `${by.startsWith(desk) ? ':' : ''} ${personOf(by)}`;
}

/** `undefined` while the lead waits. */
export function statePhrase(lead: Lead, timeZone: string): string | undefined {
  const last = lastChange(lead);
  const status = last && leadEvents[last.eventName].status;
  return status && `${status} ${formatMoment(last.at, timeZone)}${byPerson(last)}.`;
}

export function historyOf(lead: Lead, now: Date, timeZone: string): string {
  const { state, receivedAt, since } = lead;
  const moment = (instant: string) => shortMoment(instant, now, timeZone);
  const last = lastChange(lead);
  const isPlanned = state === 'waiting' && (last?.eventName === 'missed' || since > now.toISOString());
  const parts = [
    `Пришла ${moment(receivedAt)}`,
    state === 'quarantined' && 'в карантине',
    last && `${leadEvents[last.eventName].history} ${moment(last.at)}${byPerson(last)}`,
    isPlanned && planned(moment(since)),
  ];
  return parts.filter(Boolean).join(', ');
}

function planned(moment: string): string {
  return `перезвонить ${moment}`;
}

/** For the history: `Анна`, and what was done unless it is a note. */
export function eventPhrase(event: LeadEvent, moment: Moment): { person: string; what: string } {
  const { history, text } = leadEvents[event.eventName];
  const call = text === 'call' ? `, ${planned(moment(event.text))}` : '';
  const channel = text === 'channel' ? `: ${channelName(event.text)}` : '';
  return { person: personOf(event.by), what: history + call + channel };
}

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
export function cellPhrases(content: Pick<Content, 'presets'>, now: Date): ExcelDialect['phrases'] {
  return ({ state, since, takenBy, preset, signals, events }, moment) => ({
    state: state === 'waiting' && since > now.toISOString() ? 'перезвонить' : states[state],
    takenBy: takenBy === null ? '' : personOf(takenBy),
    events: events.map((event) => eventLine(event, moment)).join('\n'),
    preset: tidyLine(presetTitle(content, preset)),
    signals: signalPhrases(signals),
  });
}

function eventLine(event: LeadEvent, moment: Moment): string {
  const { person, what } = eventPhrase(event, moment);
  return `${moment(event.at)} ${person}: ${what || event.text}`;
}

const outcomes: Readonly<Record<DeliveryRecord['state'], string>> = {
  waiting: 'ещё не доставлено, попробуем',
  delivered: 'доставлено',
  dead: 'не доставлено, больше не пробуем; последний раз',
};

export function deliveryPhrase({ channel, state, at }: DeliveryRecord, now: Date, timeZone: string): string {
  return `${channelName(channel)}: ${outcomes[state]} ${shortMoment(at, now, timeZone)}`;
}

/** `в 13:05` for today, `пт 20 ноября в 13:05` for another day. */
export function shortMoment(instant: string, now: Date, timeZone: string): string {
  const { date, minutes } = localTime(new Date(instant), timeZone);
  const time = `в ${timeOf(minutes)}`;
  return date === localTime(now, timeZone).date ? time : `${formatDay(date)} ${time}`;
}

/**
 * «Сегодня 12 заявок, разобрали за 2 мин (медиана), дольше 10 минут - 1», in working minutes and without quarantine.
 *
 * @param received today
 */
export function todayPhrase(received: readonly Lead[], hours: WorkingHours, now: Date): string {
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
  const released = events.find(({ eventName }) => eventName === 'release');
  const taken = events.find(({ eventName }) => leadsTo(eventName, ['taken', 'done']));
  const from = callsFrom(hours, new Date(released?.at ?? receivedAt));
  const until = taken ? new Date(taken.at) : now;
  return { taken: taken !== undefined, ms: from ? workingMs(hours, from, until) : 0 };
}

import { formatDuration } from '../design/format.ts';
import { channelWords } from '../leads/channels/configured.ts';
import { doubtWords, type Entry, entryOf, shortMoment } from '../leads/channels/wording.ts';
import type { DeliveryRecord } from '../leads/store/deliveries.ts';
import type { Lead, Note } from '../leads/store/lead.ts';
import { minuteMs } from '../lib/calendar.ts';
import { tidyLine } from '../lib/tidy.ts';
import type { Content } from '../model/content.ts';
import { presetTitle } from '../model/preset-title.ts';
import { takerOf, takerWords } from './lead-words.ts';

/** A lead in a list of the desk. */
export type LeadRow = Pick<Entry, 'number' | 'about' | 'doubt' | 'phone' | 'words'> & {
  name: string;
  path: string;
  /** When it came, and what became of it, as a line. */
  history: string;
  state: Lead['state'];
};

export function requestPath(number: number): string {
  return `/desk/requests/${number}`;
}

export function rowOf(lead: Lead, content: Content, now: Date): LeadRow {
  const { number, state, name } = lead;
  const path = requestPath(number);
  const reason = state === 'quarantined' ? 'digest' : 'new';
  const title = presetTitle(content, lead.preset);
  const { about, doubt, phone, words } = entryOf({ reason, lead, presetTitle: title, takeUrl: path });
  const { timeZone } = content.company.workingHours;
  const came = `Пришла ${shortMoment(lead.receivedAt, now, timeZone)}`;
  return { number, about, doubt, phone, words, name: tidyLine(name ?? ''), path, state, history: `${came}${since()}` };

  function since(): string {
    if (lead.takenAt !== null) return `, взята ${shortMoment(lead.takenAt, now, timeZone)}${takerWords(lead.takenBy)}`;
    if (state === 'quarantined') return ', в карантине';
    return waited(now.getTime() - Date.parse(lead.receivedAt));
  }
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

/** Of less than a day; what came earlier has its date. */
function waited(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1 || minutes >= 24 * 60) return '';
  const hours = Math.floor(minutes / 60);
  return `, ждёт ${formatDuration(hours > 0 ? `PT${hours}H${minutes % 60}M` : `PT${minutes}M`)}`;
}

/** What is shown of a note; `at` in words. */
export type NoteWords = Pick<Note, 'key' | 'by' | 'at' | 'text'>;

export function noteWords({ at, ...note }: Note, now: Date, timeZone: string): NoteWords {
  return { ...note, at: shortMoment(at, now, timeZone) };
}

const outcomes: Readonly<Record<DeliveryRecord['state'], string>> = {
  waiting: 'ещё не доставлено, попробуем',
  delivered: 'доставлено',
  dead: 'не доставлено, больше не пробуем; последний раз',
};

/** Of a message about a lead: to whom, and what became of it. */
export type ToldWords = { id: string; text: string };

export function toldWords({ id, channel, state, at }: DeliveryRecord, now: Date, timeZone: string): ToldWords {
  const [kind = '', whom = ''] = channel.split(':');
  const name = `${channelWords(kind).name} ${whom}`.trim();
  return { id, text: `${name}: ${outcomes[state]} ${shortMoment(at, now, timeZone)}` };
}

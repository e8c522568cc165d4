import type { DatedBill } from '../../pricing/bill.ts';
import type { SpamSignal } from '../spam/spam.ts';
import { type LeadEvent, type LeadState, lastChange, leadsTo } from './lead-events.ts';
import { type LeadTexts, leadFieldTitles, removedTexts } from './lead-fields.ts';

/** Validated, but not stored yet. */
export type NewLead = LeadTexts & {
  /** Made for each rendered form. */
  key: string;
  preset: string;
  /** Calculated when the form arrived. */
  calculation: DatedBill | null;
  /** Path of the page where the form was opened. */
  page: string;
  /** Query parameters of the landing address. */
  attribution: Readonly<Record<string, string>>;
  /** SHA-256 in hexadecimal of a text in `consent_text`. */
  consent: string;
  signals: readonly SpamSignal[];
};

/** What happens in the transaction that stores a lead. */
export type Arrival = {
  /** Until its release, only the digest mentions the lead. */
  quarantined: boolean;
  /** Stored if new; `undefined` if the text of the lead's consent is stored already. */
  consentText?: string | undefined;
  /** Channels notified first. */
  channels: readonly string[];
  /** When they are; ISO 8601 in UTC, as the next. */
  notifyAt: string;
  /** When staff are reminded of the lead. */
  remindAt: string | null;
};

/** Times are ISO 8601 in UTC, with milliseconds. */
export type Lead = Omit<NewLead, 'key'> & {
  /** Counts up from 1; staff and visitors quote it. */
  number: number;
  /** Unguessable; part of the receipt page's address. */
  receipt: string;
  state: LeadState;
  receivedAt: string;
  /** Start of the state; of a waiting lead, when the call is due, which may be in the future. */
  since: string;
  /** The last taking, unless the lead has waited again since. */
  takenAt: string | null;
  takenBy: LeadEvent['by'] | null;
  /** Oldest first. */
  events: readonly LeadEvent[];
};

/** Removed when only the evidence of consent is kept. */
type Details = Omit<NewLead, 'key' | 'preset' | 'phone' | 'page' | 'consent'>;

/** Replaces removed details and those that older leads lack. */
export const strippedDetails: Details = {
  ...removedTexts,
  calculation: null,
  attribution: {},
  signals: [],
};

type Unstored = Pick<Lead, 'receipt' | 'preset' | 'phone' | 'page' | 'consent'> & Partial<Details>;

/** A lead that arrives now and is in no table: it has the number 0. */
export function unstoredLead(about: Unstored): Lead {
  const now = new Date().toISOString();
  return {
    ...strippedDetails,
    number: 0,
    state: 'waiting',
    receivedAt: now,
    since: now,
    takenAt: null,
    takenBy: null,
    events: [],
    ...about,
  };
}

/** Column titles of the desk's download, in order. */
export const leadTitles: Readonly<Record<keyof Lead, string>> = {
  number: '№',
  state: 'Состояние',
  receivedAt: 'Когда пришла',
  since: 'С какого времени',
  takenAt: 'Когда взяли',
  takenBy: 'Кто взял',
  preset: 'Форма',
  ...leadFieldTitles,
  calculation: 'Расчёт',
  page: 'Страница',
  attribution: 'Реклама',
  consent: 'Хеш согласия',
  signals: 'Признаки спама',
  events: 'История',
  receipt: 'Квитанция',
};

/** Instants; `since` is inclusive, `until` exclusive. */
export type Range = { since?: string; until?: string };

/** Bounds that both databases accept. */
export const wholeRange = { since: '0001-01-01T00:00:00.000Z', until: '9999-12-31T00:00:00.000Z' };

export const leadColumns = `number, receipt, state, received_at AS "receivedAt", since, preset, phone, page, consent,
  details, events`;

export type LeadRow = Omit<Lead, keyof Details | 'takenAt' | 'takenBy' | 'events'> & {
  details: string;
  events: string;
};

export function toLead({ details, events: stored, ...row }: LeadRow): Lead {
  const events: LeadEvent[] = JSON.parse(stored);
  const last = lastChange({ events }, ['taken', 'waiting']);
  const taking = last && leadsTo(last.eventName, ['taken']) ? last : undefined;
  const taken = { takenAt: taking?.at ?? null, takenBy: taking?.by ?? null };
  return { ...row, ...strippedDetails, ...JSON.parse(details), ...taken, events };
}

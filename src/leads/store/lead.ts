import type { DatedBill } from '../../pages/services/bill.ts';
import type { SpamSignal } from '../spam/spam.ts';
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

/** Stored in the same transaction as the lead. */
export type Plan = {
  /** Until its release, only the digest mentions the lead. */
  quarantined: boolean;
  /** Stored if new; `undefined` if the text of the lead's consent is stored already. */
  consentText?: string | undefined;
  /** Channels notified first. */
  channels: readonly string[];
  /** When they are; ISO 8601 in UTC, as the next. */
  notifyAt: string;
  escalateAt: string | null;
};

/** `new`: the visitor awaits a call. `taken`: a person at the company calls. */
export type LeadState = 'new' | 'taken' | 'quarantined';

export type Note = {
  /** Identifies repeated submissions. */
  key: string;
  at: string;
  /** The name on the author's desk link. */
  by: string;
  text: string;
};

/** Times are ISO 8601 in UTC, with milliseconds. */
export type Lead = Omit<NewLead, 'key'> & {
  /** Counts up from 1; staff and visitors quote it. */
  number: number;
  /** Unguessable; part of the receipt page's address. */
  receipt: string;
  state: LeadState;
  receivedAt: string;
  takenAt: string | null;
  /** The channel whose link was used, or `desk:` and a name. */
  takenBy: string | null;
  /** Oldest first. */
  notes: readonly Note[];
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

/** Column titles of the desk's download, in order. */
export const leadTitles: Readonly<Record<keyof Lead, string>> = {
  number: '№',
  state: 'Состояние',
  receivedAt: 'Когда пришла',
  takenAt: 'Когда взяли',
  takenBy: 'Кто взял',
  preset: 'Форма',
  ...leadFieldTitles,
  calculation: 'Расчёт',
  page: 'Страница',
  attribution: 'Реклама',
  consent: 'Хеш согласия',
  signals: 'Признаки спама',
  notes: 'Заметки',
  receipt: 'Квитанция',
};

/** Instants; `since` is inclusive, `until` exclusive. */
export type Range = { since?: string; until?: string };

export const leadColumns = `number, receipt, state, received_at AS "receivedAt", taken_at AS "takenAt",
  taken_by AS "takenBy", preset, phone, page, consent, details, notes`;

export type LeadRow = Omit<Lead, keyof Details | 'notes'> & { details: string; notes: string };

export function toLead({ details, notes, ...row }: LeadRow): Lead {
  return { ...row, ...strippedDetails, ...JSON.parse(details), notes: JSON.parse(notes) };
}

import type { DatedBill } from '../../services/bill.ts';
import type { SpamSignal } from '../spam/spam.ts';

/** A request as it was sent, validated; not yet kept. */
export type NewLead = {
  /** One per rendered form; with the same words it makes a repeated submission the same lead. */
  key: string;
  preset: string;
  name: string | null;
  /** E.164. */
  phone: string;
  /**
   * The phone field as the visitor wrote it, on one line. An extension or «после 18:00»
   * has no place in E.164, and must not be lost to those who call.
   */
  phoneTyped: string;
  message: string | null;
  /** What the calculator made of the visitor's order when the request came. */
  calculation: DatedBill | null;
  /** Path of the page where the form was opened. */
  page: string;
  /** Parameters of the landing address, by name. */
  attribution: Readonly<Record<string, string>>;
  /** SHA-256 of the text that the visitor agreed to, in hexadecimal digits; `consent_text` keeps the text. */
  consent: string;
  signals: readonly SpamSignal[];
};

/** What is written in one transaction with a lead: who is told of it, and when others are if it is not taken. */
export type Plan = {
  /** Only the digest tells of a lead in quarantine, until it is released. */
  quarantined: boolean;
  /** Names of the channels that are told at once. */
  channels: readonly string[];
  /** ISO 8601, UTC. */
  escalateAt: string | null;
};

/** `new`: the visitor must be called. `taken`: a person at the company does so. */
export type LeadState = 'new' | 'taken' | 'quarantined';

/** What somebody at the desk has written down about a lead. */
export type Note = {
  /** One per rendered form: a form that is sent twice makes one note. */
  key: string;
  at: string;
  /** Whose link to the desk it was written by. */
  by: string;
  text: string;
};

/** A lead that is on disk. Times are instants in ISO 8601, UTC, with milliseconds. */
export type Lead = Omit<NewLead, 'key'> & {
  /** Counts up from 1; what people call the request by. */
  number: number;
  /** Unguessable; the address of the receipt page. */
  receipt: string;
  state: LeadState;
  receivedAt: string;
  takenAt: string | null;
  /** The channel by whose link it was taken, or `desk:` and a name. */
  takenBy: string | null;
  /** Oldest first. */
  notes: readonly Note[];
};

/** What is forgotten of a lead when only the evidence of consent is kept. */
export type Details = Omit<NewLead, 'key' | 'preset' | 'phone' | 'page' | 'consent'>;

/** What is left of them, and what a lead has that came before there was such a field. */
export const forgotten: Details = {
  name: null,
  phoneTyped: '',
  message: null,
  calculation: null,
  attribution: {},
  signals: [],
};

/** Over the columns of what the desk downloads, in their order. */
export const leadTitles: Readonly<Record<keyof Lead, string>> = {
  number: '№',
  state: 'Состояние',
  receivedAt: 'Когда пришла',
  takenAt: 'Когда взяли',
  takenBy: 'Кто взял',
  preset: 'Форма',
  name: 'Имя',
  phone: 'Телефон',
  phoneTyped: 'Телефон дословно',
  message: 'Сообщение',
  calculation: 'Расчёт',
  page: 'Страница',
  attribution: 'Реклама',
  consent: 'Хеш согласия',
  signals: 'Признаки спама',
  notes: 'Заметки',
  receipt: 'Квитанция',
};

/** What came since an instant, and before another one; without them, from the first to the last. */
export type Range = { since?: string; until?: string };

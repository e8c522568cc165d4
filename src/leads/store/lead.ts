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

type LeadColumn = {
  /** Over the column in what the desk downloads. */
  title: string;
  /** Kept as JSON. */
  json?: true;
  /** What the visitor typed; a form sent again with the same is the same lead, and webhooks are told of it. */
  typed?: true;
  /** In SQL: what is left when only the evidence of consent is kept. Without it, the column is part of that. */
  stripped?: string;
  /** No form brings it. */
  later?: true;
};

/**
 * What is kept of a lead, in the order in which it is shown. A field above with its row here and a column in
 * `leads/store/schema.ts` is stored, moved, exported, and stripped when its time is over.
 */
export const leadColumns: Readonly<Record<keyof Lead, LeadColumn>> = {
  number: { title: '№', later: true },
  state: { title: 'Состояние' },
  receivedAt: { title: 'Когда пришла' },
  takenAt: { title: 'Когда взяли', later: true },
  takenBy: { title: 'Кто взял', later: true },
  preset: { title: 'Форма', typed: true },
  name: { title: 'Имя', typed: true, stripped: 'NULL' },
  phone: { title: 'Телефон', typed: true },
  phoneTyped: { title: 'Телефон дословно', typed: true, stripped: `''` },
  message: { title: 'Сообщение', typed: true, stripped: 'NULL' },
  calculation: { title: 'Расчёт', json: true, stripped: `'null'` },
  page: { title: 'Страница' },
  attribution: { title: 'Реклама', json: true, stripped: `'{}'` },
  consent: { title: 'Хеш согласия' },
  signals: { title: 'Признаки спама', json: true, stripped: `'[]'` },
  notes: { title: 'Заметки', json: true, later: true, stripped: `'[]'` },
  receipt: { title: 'Квитанция' },
};

/** What a visitor is told about their lead. */
export type Receipt = Pick<Lead, 'number' | 'receipt' | 'receivedAt' | 'preset' | 'calculation' | 'takenAt'>;

/** What came since an instant, and before another one; without them, from the first to the last. */
export type Range = { since?: string; until?: string };

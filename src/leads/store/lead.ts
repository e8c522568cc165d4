import type { SpamSignal } from '../spam/spam.ts';

/** What the visitor agreed to, kept as evidence. */
export type Consent = {
  version: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  hash: string;
};

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
  /** What the calculator made of the visitor's order when the request came, as lines of text. */
  calculation: string | null;
  /** Path of the page where the form was opened. */
  page: string;
  /** Parameters of the landing address, by name. */
  attribution: Readonly<Record<string, string>>;
  consent: Consent;
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
  /** The channel by whose link it was taken, `desk:` and a name, or `console`. */
  takenBy: string | null;
  /** Oldest first. */
  notes: readonly Note[];
};

/** A lead as one row. */
export type Cells = Omit<Lead, 'consent'> & { consentVersion: string; consentHash: string };

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
export const leadColumns: Readonly<Record<keyof Cells, LeadColumn>> = {
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
  calculation: { title: 'Расчёт', stripped: 'NULL' },
  page: { title: 'Страница' },
  attribution: { title: 'Реклама', json: true, stripped: `'{}'` },
  consentVersion: { title: 'Версия согласия' },
  consentHash: { title: 'Хеш согласия' },
  signals: { title: 'Признаки спама', json: true, stripped: `'[]'` },
  notes: { title: 'Заметки', json: true, later: true, stripped: `'[]'` },
  receipt: { title: 'Квитанция' },
};

/** What a visitor is told about their lead. */
export type Receipt = Pick<Lead, 'number' | 'receipt' | 'receivedAt' | 'preset' | 'calculation' | 'takenAt'>;

/** A lead that was not taken in time; `step` counts the channels that were told of that so far. */
export type Untaken = { lead: Lead; step: number };

/** What an operator is shown of one delivery. */
export type DeliveryRecord = {
  id: string;
  channel: string;
  reason: 'new' | 'untaken' | 'digest';
  state: 'waiting' | 'delivered' | 'dead';
  attempts: number;
  /** When it is tried next, or when it came to its end. */
  at: string;
  /** Why the last attempt failed. */
  error: string | null;
};

/** How things stand, for metrics and for the operator. */
export type Stats = {
  leads: Readonly<Record<LeadState, number>>;
  /** When the oldest lead came that is not taken. */
  oldestUntaken: string | null;
  deliveries: readonly { channel: string; state: DeliveryRecord['state']; count: number }[];
};

/** What came since an instant, and before another one; without them, from the first to the last. */
export type Range = { since?: string; until?: string };

/** Where leads are kept. Every method rejects with a `StoreError` while the store cannot be used. */
export interface LeadStore {
  /**
   * Resolves only after the commit is on disk. The same `key` with the same words
   * resolves to the receipt of the first; with other words it is a lead of its own.
   */
  add(lead: NewLead, plan: Plan): Promise<Receipt>;
  receipt(token: string): Promise<Receipt | undefined>;
  find(number: number): Promise<Lead | undefined>;
  /** Newest first. @param filter `before`: numbers below it; `takenSince`: an instant; then those taken last come first */
  list(filter: { state?: LeadState; before?: number; takenSince?: string; limit: number }): Promise<Lead[]>;
  /** Oldest first, read in portions, so that an export of any size needs little memory. */
  all(range?: Range): AsyncIterable<Lead>;
  /** From how many other phones the same message came since an instant; 50 at most. */
  recent(words: Pick<NewLead, 'phone' | 'message'>, since: string): Promise<{ sameMessage: number }>;
  /**
   * The first who takes a lead has it; those who come later learn who that was.
   * `undefined`: there is no such lead.
   */
  take(number: number, by: string): Promise<{ lead: Lead; first: boolean } | undefined>;
  /** Adds a note, unless one with its key is there; false if there is no such lead, or only its evidence of consent. */
  note(number: number, note: Omit<Note, 'at'>): Promise<boolean>;
  /** Lets a lead out of quarantine; false if it is not there. */
  release(number: number, plan: Plan): Promise<boolean>;
  /** Tells channels of a lead once more; false if there is no such lead. */
  redeliver(number: number, channels: readonly string[]): Promise<boolean>;
  /** Oldest first. */
  deliveries(number: number): Promise<DeliveryRecord[]>;
  /** Leads whose time to be taken has passed, the longest overdue first. */
  untaken(now: string, limit: number): Promise<Untaken[]>;
  /**
   * Tells a further channel of a lead, unless it was taken or another process was quicker.
   *
   * @param next when it is told to one more
   */
  escalate(untaken: Untaken, channel: string, next: string | null): Promise<boolean>;
  /**
   * Tells channels of what has come into quarantine since the last digest, the oldest first, unless that was done for
   * this day already. What is beyond the limit waits for the next one.
   *
   * @param day any name; another one than last time is another day
   * @returns how many leads are told of
   */
  digest(day: string, channels: readonly string[], limit: number): Promise<number>;
  /** How many leads there are of a phone number, or in a state. @param atMost so many are counted, and no more looked at */
  count(filter: { phone: string } | { state: LeadState }, atMost?: number): Promise<number>;
  /** Removes every lead of a phone number for good. @returns how many there were */
  erase(phone: string): Promise<number>;
  /**
   * Removes what has been kept for long enough: of leads before `requests` all but the
   * evidence of consent, and leads before `consents` altogether. Links that have ended go, too.
   */
  expire(before: { requests: string; consents: string }): Promise<{ stripped: number; removed: number }>;
  /** Keeps the text behind a hash of consent; keeping it twice is harmless. */
  keepConsentText(consent: Consent, text: string): Promise<void>;
  /** When the clock was last believed; `null` if that was never looked at. */
  believed(): Promise<string | null>;
  believe(at: string): Promise<void>;
  stats(): Promise<Stats>;
  /** Resolves if a lead could be stored now, which it finds out by storing something; rejects with why it could not. */
  probe(): Promise<void>;
  /** Finishes what was begun and refuses what comes later. */
  close(): Promise<void>;
}

import type { SpamSignal } from '../spam/spam.ts';
import type { TakeKeys } from './take-link.ts';

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

/** A lead that is on disk. Times are instants in ISO 8601, UTC, with milliseconds. */
export type Lead = Omit<NewLead, 'key'> & {
  /** Counts up from 1; what people call the request by. */
  number: number;
  /** Unguessable; the address of the receipt page. */
  receipt: string;
  state: LeadState;
  receivedAt: string;
  takenAt: string | null;
  /** The channel by whose link it was taken, or `console`. */
  takenBy: string | null;
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

/** Where leads are kept. Every method rejects with a `StoreError` while the store cannot be used. */
export interface LeadStore {
  /**
   * Resolves only after the commit is on disk. The same `key` with the same words
   * resolves to the receipt of the first; with other words it is a lead of its own.
   */
  add(lead: NewLead, plan: Plan): Promise<Receipt>;
  receipt(token: string): Promise<Receipt | undefined>;
  find(number: number): Promise<Lead | undefined>;
  /** Newest first. */
  list(filter: { state?: LeadState; limit: number }): Promise<Lead[]>;
  /** Oldest first, read in portions, so that an export of any size needs little memory. */
  all(): AsyncIterable<Lead>;
  /** From how many other phones the same message came since an instant; 50 at most. */
  recent(words: Pick<NewLead, 'phone' | 'message'>, since: string): Promise<{ sameMessage: number }>;
  /**
   * The first who takes a lead has it; those who come later learn who that was.
   * `undefined`: there is no such lead.
   */
  take(number: number, by: string): Promise<{ lead: Lead; first: boolean } | undefined>;
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
  /** How many leads there are of a phone number. */
  count(phone: string): Promise<number>;
  /** Removes every lead of a phone number for good. @returns how many there were */
  erase(phone: string): Promise<number>;
  /**
   * Removes what has been kept for long enough: of leads before `requests` all but the
   * evidence of consent, and leads before `consents` altogether.
   */
  expire(before: { requests: string; consents: string }): Promise<{ stripped: number; removed: number }>;
  /** Keeps the text behind a hash of consent; keeping it twice is harmless. */
  keepConsentText(consent: Consent, text: string): Promise<void>;
  /** All keys that sign links; those of `days` are made if they are missing, the same for all who share the store. */
  takeKeys(days: readonly string[]): Promise<TakeKeys>;
  /** Removes the keys of these days, or all, and so ends the links that they have signed. */
  dropTakeKeys(days?: readonly string[]): Promise<void>;
  /** When the clock was last believed; `null` if that was never looked at. */
  believed(): Promise<string | null>;
  believe(at: string): Promise<void>;
  stats(): Promise<Stats>;
  /** Resolves if a lead could be stored now, which it finds out by storing something; rejects with why it could not. */
  probe(): Promise<void>;
  /** Finishes what was begun and refuses what comes later. */
  close(): Promise<void>;
}

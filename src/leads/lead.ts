/** Why a lead looks like spam. One signal is enough for the quarantine; none is enough to refuse a lead. */
export type SpamSignal = 'honeypot' | 'no-origin';

/** What the visitor agreed to, kept as evidence. */
export type Consent = { version: string; hash: string };

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
   * has no place in E.164, and whoever calls must not lose it.
   */
  phoneTyped: string;
  message: string | null;
  /** Path of the page where the form was opened. */
  page: string;
  /** Parameters of the landing address, by name. */
  attribution: Readonly<Record<string, string>>;
  consent: Consent;
  signals: readonly SpamSignal[];
};

export type LeadState = 'new' | 'quarantined';

/** A lead that is on disk. */
export type Lead = Omit<NewLead, 'key'> & {
  /** Counts up from 1; what people call the request by. */
  number: number;
  /** Unguessable; the address of the receipt page. */
  receipt: string;
  state: LeadState;
  /** When the lead was written, as an instant in ISO 8601, UTC, with milliseconds. */
  receivedAt: string;
};

/** What a visitor is told about their lead. */
export type Receipt = Pick<Lead, 'number' | 'receipt' | 'receivedAt' | 'preset'>;

/** Where leads are kept. Every method rejects with a `StoreError` while the store cannot be used. */
export interface LeadStore {
  /**
   * Resolves only after the commit is on disk. The same `key` with the same words
   * resolves to the receipt of the first; with other words it is a lead of its own.
   */
  add(lead: NewLead): Promise<Receipt>;
  receipt(token: string): Promise<Receipt | undefined>;
  find(number: number): Promise<Lead | undefined>;
  /** Newest first. */
  list(filter: { state?: LeadState; limit: number }): Promise<Lead[]>;
  /** Oldest first, read in portions, so that an export of any size needs little memory. */
  all(): AsyncIterable<Lead>;
  /** Resolves if a lead could be stored now, which it finds out by storing something; rejects with the reason otherwise. */
  check(): Promise<void>;
  /** Finishes what was begun and refuses what comes later. */
  close(): Promise<void>;
}

/** The store could not do what was asked; `cause` says why. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

import type * as z from 'zod';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { Lead } from '../store/lead.ts';

type Variables = Readonly<Record<string, z.ZodType>>;

/** Staff read these: the name of the channel, and the way in which a lead was taken through it: `Почта`, `по ссылке из письма`. */
export type ChannelWords = { name: string; taken: string };

/** How the policy for visitors may name the recipient. */
type InPolicy = { inPolicy: RegExp };

type Values<Needs extends Variables, May extends Variables> = {
  [Name in keyof Needs]: NonNullable<z.output<Needs[Name]>>;
} & { [Name in keyof May]: z.output<May[Name]> };

/** A way to notify the company, and its environment variables. */
export type ChannelKind<
  Needs extends Variables = Record<never, never>,
  May extends Variables = Variables,
  Sought extends string = string,
> = {
  words: ChannelWords & InPolicy;
  /** All are required. */
  needs: Needs;
  may: May;
  /** Opens no connections. */
  make(values: Values<Needs, May>, site: Sender): Channel[];
  /** For a required variable whose value the other side assigns. Without it there is no channel, and `doctor` looks it up. */
  lookUp?: {
    variable: Sought;
    /** If nothing is found. */
    advice: string;
    /** @throws {RemoteError} */
    find(values: Values<Omit<Needs, Sought>, May>, signal: AbortSignal): Promise<string[]>;
  };
};

/** Infers the types of the variables. */
export function channelKind<Needs extends Variables, May extends Variables, Sought extends keyof Needs & string>(
  kind: ChannelKind<Needs, May, Sought>,
): ChannelKind<Needs, May, Sought> {
  return kind;
}

export type Notification = {
  /** The same for every attempt, so that receivers can ignore repeats. */
  deliveryId: string;
  /** `test`: an operator tests the channel. */
  reason: DeliveryRecord['reason'] | 'test';
  lead: Lead;
  /** In Russian. */
  presetTitle: string;
  /** Absolute address where the lead is taken. */
  takeUrl: string;
};

export type Sender = {
  name: string;
  /** Absolute, without a trailing slash. */
  url: string;
  /** IANA time zone of the company. */
  timeZone: string;
};

/**
 * Leads per message: MAX shows 30 rows of buttons. Each gets 130 of Telegram's 4096 UTF-16 units, and 300 of the roughly 9,500
 * bytes of links beyond which Telegram was seen to refuse a message.
 */
export const maxJoined = 30;

/** Tries once; the outbox retries. */
export interface Channel {
  /** The part of `name` before any colon. */
  readonly kind: string;
  /** Unique, such as `mail:sales@example.ru`; stored with deliveries. */
  readonly name: string;
  /** Concurrent messages. */
  readonly parallel: number;
  /**
   * A message may contain up to `maxJoined` leads with the same reason, and is sent a second after the one before at
   * the earliest. Required for a `digest` and a `summary`.
   */
  readonly joins?: true;
  /** Messages contain no personal data, so the policy need not name the recipient. */
  readonly impersonal?: boolean;
  /** For one attempt; 10 s if omitted. */
  readonly timeoutMs?: number;
  /**
   * Resolves once the other side has accepted the message.
   *
   * @param notifications a single notification, unless the channel joins
   * @throws {RemoteError} if it was refused or the outcome is unknown
   */
  deliver(notifications: readonly Notification[], signal: AbortSignal): Promise<void>;
}

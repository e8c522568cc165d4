import type * as z from 'zod';
import type { Notification, Sender } from '../messages/notification.ts';

type Variables = Readonly<Record<string, z.ZodType>>;

type Values<Needs extends Variables, May extends Variables> = {
  [Name in keyof Needs]: NonNullable<z.output<Needs[Name]>>;
} & { [Name in keyof May]: z.output<May[Name]> };

/** A way to notify the company, and its environment variables. */
export type ChannelDefinition<
  Needs extends Variables = Record<never, never>,
  May extends Variables = Variables,
  Sought extends string = string,
> = {
  /** How the policy for visitors may name the recipient. */
  inPolicy: RegExp;
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
export function defineChannel<Needs extends Variables, May extends Variables, Sought extends keyof Needs & string>(
  definition: ChannelDefinition<Needs, May, Sought>,
): ChannelDefinition<Needs, May, Sought> {
  return definition;
}

/**
 * Leads per message: MAX shows 30 rows of buttons. Each gets 130 of Telegram's 4096 UTF-16 units, and 300 of the roughly 9,500
 * bytes of links beyond which Telegram was seen to refuse a message.
 */
export const maxJoined = 30;

/** Tries once; the outbox retries. */
export interface Channel {
  /** Its type, or `mail:sales@example.ru`; unique, and stored with deliveries. */
  readonly name: string;
  /** Concurrent messages. */
  readonly parallel: number;
  /**
   * A message may contain up to `maxJoined` leads with the same reason, and is sent a second after the one before at
   * the earliest. Only such channels get digests.
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

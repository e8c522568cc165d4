import type * as z from 'zod';
import type { Lead } from '../store/lead.ts';

type Variables = Readonly<Record<string, z.ZodType>>;

/** What staff call a kind of channel, and by what a lead was taken that it told of: `Почта`, `по ссылке из письма`. */
export type ChannelWords = { name: string; taken: string };

/** A way to tell the company of a lead, and the variables of the environment that make it one channel or several. */
export type ChannelKind<Needs extends Variables = Variables, May extends Variables = Variables> = {
  words: ChannelWords;
  /** There is no channel unless all of these are set. */
  needs: Needs;
  may: May;
  /** Opens nothing. */
  make(
    values: { [Name in keyof Needs]: NonNullable<z.output<Needs[Name]>> } & {
      [Name in keyof May]: z.output<May[Name]>;
    },
    site: Sender,
  ): Channel[];
};

/** Has TypeScript see to it that a kind is made of its own variables. */
export function channelKind<Needs extends Variables, May extends Variables>(
  kind: ChannelKind<Needs, May>,
): ChannelKind<Needs, May> {
  return kind;
}

/** What the company is told of one lead. */
export type Notification = {
  /** The same at every attempt: a receiver that has seen it may ignore it. */
  deliveryId: string;
  /**
   * `new`: it came. `untaken`: it was not taken in time. `digest`: it is in quarantine. `test`: the operator asks
   * whether anything arrives.
   */
  reason: 'new' | 'untaken' | 'digest' | 'test';
  lead: Lead;
  /** Title of the lead's preset, in Russian. */
  presetTitle: string;
  /** Absolute address of the page where the person on duty takes the lead. */
  takeUrl: string;
};

/** What a notification says of the site that it comes from. */
export type Sender = {
  /** What the company calls itself. */
  name: string;
  /** Absolute address without a trailing slash. */
  url: string;
  /** IANA time zone in which people at the company read a clock. */
  timeZone: string;
};

/**
 * Leads that one message tells of at most. Of the 4096 UTF-16 units of Telegram's text that leaves each a hundred, and
 * of the 9,500 bytes or so beyond which it was seen to refuse the links of a message, two hundred.
 */
export const joinedAtMost = 40;

/** One way out of the house. Knows nothing of queues: it tries once. */
export interface Channel {
  /** The first part of its name. */
  readonly kind: string;
  /** Unique among the configured ones, such as `mail:sales@example.ru`; deliveries are kept under it. */
  readonly name: string;
  /** How many messages it takes at once. */
  readonly parallel: number;
  /**
   * One message may tell of several leads, at most `joinedAtMost`, for one reason. Only such a channel is told of a
   * `digest`.
   */
  readonly joins?: true;
  /**
   * Resolves once the other side has taken the message.
   *
   * @param told one, unless the channel joins
   * @param signal ends the attempt
   * @throws {RemoteError} when it has not, or when it cannot be known
   */
  deliver(told: readonly Notification[], signal: AbortSignal): Promise<void>;
}

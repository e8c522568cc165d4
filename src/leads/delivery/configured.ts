import type * as z from 'zod';
import { bitrix24 } from './bitrix24.ts';
import type { Channel, ChannelKind, Sender } from './channel.ts';
import { mail } from './mail.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

const kinds: Readonly<Record<string, ChannelKind>> = { mail, webhook, telegram, bitrix24 };

/** Ways to tell the company of a lead. */
export const channelKinds: readonly string[] = Object.keys(kinds);

/** The variables of the channels, to be spread into a schema of the environment. */
export const channelVariables = {
  ...{ ...mail.needs, ...mail.may },
  ...{ ...webhook.needs, ...webhook.may },
  ...{ ...telegram.needs, ...telegram.may },
  ...{ ...bitrix24.needs, ...bitrix24.may },
};

/** Which variables make a channel together. */
export const together: readonly (readonly string[])[] = Object.values(kinds).map(({ needs }) => Object.keys(needs));

/** Variables of the channels, once they are parsed. */
export type ChannelValues = z.output<z.ZodObject<typeof channelVariables>>;

/** Names of the channels that `channels` would make. */
export function channelNames(values: ChannelValues): string[] {
  const nowhere = { name: '', url: 'http://localhost', timeZone: 'UTC' };
  return channels(values, nowhere).map(({ name }) => name);
}

/** The configured channels, each under a name of its own. Opens nothing. */
export function channels(values: ChannelValues, site: Sender): Channel[] {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const set = Object.fromEntries(given);
  return Object.values(kinds).flatMap(({ needs, make }) =>
    Object.keys(needs).every((name) => name in set) ? make(set, site) : [],
  );
}

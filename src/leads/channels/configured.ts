import type * as z from 'zod';
import type { ChannelType } from '../messages/desk-phrases.ts';
import type { Sender } from '../messages/notification.ts';
import { bitrix24 } from './bitrix24.ts';
import type { Channel, ChannelDefinition } from './channel.ts';
import { mail } from './mail.ts';
import { max } from './max.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

const definitions = { mail, webhook, telegram, max, bitrix24 } satisfies Record<ChannelType, unknown>;

const all: Readonly<Record<string, ChannelDefinition>> = definitions;

export const channelTypes: readonly string[] = Object.keys(definitions);

/** Those that receive personal data and that the text of the policy does not name. */
export function unnamedChannels(policy: string, channels: readonly Channel[]): string[] {
  const isNamed = ({ name }: Channel) => all[name.replace(/:.*/, '')]?.inPolicy.test(policy);
  return channels.filter((channel) => !channel.impersonal && !isNamed(channel)).map(({ name }) => name);
}

type Definition = (typeof definitions)[ChannelType];
type Variables = Definition['needs'] | Definition['may'];
type NameIn<Some> = Some extends unknown ? keyof Some : never;

export const channelVariables = Object.fromEntries(
  Object.values(all).flatMap(({ needs, may }) => Object.entries({ ...needs, ...may })),
) as { [Name in NameIn<Variables>]: Extract<Variables, Record<Name, unknown>>[Name] };

/** Variables that must be set together. */
export const joinedVariables: readonly (readonly string[])[] = Object.values(all).map(({ needs }) =>
  Object.keys(needs),
);

/** May be missing: `doctor` looks up the value. */
export const findable: readonly string[] = Object.values(all).flatMap(({ lookUp }) => lookUp?.variable ?? []);

export type ChannelValues = z.output<z.ZodObject<typeof channelVariables>>;

export function channelNames(values: ChannelValues): string[] {
  const nowhere = { name: '', url: 'http://localhost', timeZone: 'UTC' };
  return channels(values, nowhere).map(({ name }) => name);
}

export function channels(values: ChannelValues, site: Sender): Channel[] {
  const set = present(values);
  return Object.values(all).flatMap(({ needs, make }) =>
    Object.keys(needs).every((name) => name in set) ? make(set, site) : [],
  );
}

function present(values: ChannelValues) {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

/** A missing variable whose value the other side knows. */
export type LookUp = {
  channel: string;
  variable: string;
  /** If nothing is found. */
  advice: string;
  /** @throws {RemoteError} */
  find(signal: AbortSignal): Promise<string[]>;
};

/** For each channel that lacks only the variable that can be looked up. */
export function lookUps(values: ChannelValues): LookUp[] {
  const set = present(values);
  return Object.entries(all).flatMap(([channel, { needs, lookUp }]) => {
    const missing = Object.keys(needs).filter((name) => !(name in set));
    if (lookUp === undefined || missing.join() !== lookUp.variable) return [];
    const { variable, advice } = lookUp;
    return { channel, variable, advice, find: (signal) => lookUp.find(set, signal) };
  });
}

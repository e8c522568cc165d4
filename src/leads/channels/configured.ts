import type * as z from 'zod';
import { bitrix24 } from './bitrix24.ts';
import type { Channel, ChannelKind, ChannelWords, Sender } from './channel.ts';
import { mail } from './mail.ts';
import { max } from './max.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

const rows = { mail, webhook, telegram, max, bitrix24 };

const kinds: Readonly<Record<string, ChannelKind>> = rows;

export const channelKinds: readonly string[] = Object.keys(kinds);

/** Also for former kinds. */
export function channelWords(kind: string): ChannelWords {
  return kinds[kind]?.words ?? { name: kind, taken: 'по ссылке из уведомления' };
}

/** Those that receive personal data and that the text of the policy does not name. */
export function unnamedChannels(policy: string, all: readonly Channel[]): string[] {
  const isNamed = ({ kind }: Channel) => kinds[kind]?.words.inPolicy.test(policy);
  return all.filter((channel) => !channel.impersonal && !isNamed(channel)).map(({ name }) => name);
}

type Kind = (typeof rows)[keyof typeof rows];
type Variables = Kind['needs'] | Kind['may'];
type NameIn<Some> = Some extends unknown ? keyof Some : never;

export const channelVariables = Object.fromEntries(
  Object.values(kinds).flatMap(({ needs, may }) => Object.entries({ ...needs, ...may })),
) as { [Name in NameIn<Variables>]: Extract<Variables, Record<Name, unknown>>[Name] };

/** Variables that must be set together. */
export const together: readonly (readonly string[])[] = Object.values(kinds).map(({ needs }) => Object.keys(needs));

/** May be missing: `doctor` looks up the value. */
export const findable: readonly string[] = Object.values(kinds).flatMap(({ lookUp }) => lookUp?.variable ?? []);

export type ChannelValues = z.output<z.ZodObject<typeof channelVariables>>;

export function channelNames(values: ChannelValues): string[] {
  const nowhere = { name: '', url: 'http://localhost', timeZone: 'UTC' };
  return channels(values, nowhere).map(({ name }) => name);
}

export function channels(values: ChannelValues, site: Sender): Channel[] {
  const set = present(values);
  return Object.values(kinds).flatMap(({ needs, make }) =>
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

/** For each kind that lacks only the variable that can be looked up. */
export function lookUps(values: ChannelValues): LookUp[] {
  const set = present(values);
  return Object.entries(kinds).flatMap(([channel, { needs, lookUp }]) => {
    const missing = Object.keys(needs).filter((name) => !(name in set));
    if (lookUp === undefined || missing.join() !== lookUp.variable) return [];
    const { variable, advice } = lookUp;
    return { channel, variable, advice, find: (signal) => lookUp.find(set, signal) };
  });
}

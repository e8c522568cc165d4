import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Config, loadConfig } from '../config.ts';
import { type Days, rangeOf } from '../leads/store/export.ts';
import type { Range } from '../leads/store/lead.ts';
import { openStore, type Store } from '../leads/store/open-store.ts';
import { trust } from '../lib/http-client.ts';
import { messageOf } from '../lib/message-of.ts';
import { parseNumber } from '../lib/parse-number.ts';
import { readPhone } from '../lib/phone.ts';

/** Data goes to standard output, everything else to standard error. */
export type CommandIo = {
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};

/** Errors are printed; a `UsageError` exits with 2, any other with 1. */
export type Command = {
  /** One or two words. */
  name: string;
  /** Arguments and flags, as written after the name. */
  usage: string;
  does: string;
  /** Started by servers and the build, and not listed. */
  internal?: true;
  run(args: string[], io: CommandIo): Promise<void>;
};

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * @param names of the arguments; `NUMBER…` as the last one means one or more, `[NUMBER…]` any number
 * @throws {UsageError} for unknown flags or a wrong number of arguments
 */
export function parse<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
  names: readonly string[] = [],
) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const missing = names[parsed.positionals.length];
    if (missing !== undefined && !missing.startsWith('['))
      throw new UsageError(`${missing.replace('…', '')} is missing.`);
    const surplus = names.at(-1)?.includes('…') ? undefined : parsed.positionals[names.length];
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    return parsed;
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(messageOf(error));
  }
}

/** Of editors' commands: the usage that follows says enough. */
export const parseInRussian: typeof parse = (...given) => {
  try {
    return parse(...given);
  } catch {
    throw new UsageError('Эту команду пишут иначе:');
  }
};

export function readNumber(text: string | undefined, name: string): number {
  const number = parseNumber(text ?? '');
  if (number === undefined) throw new UsageError(`${name} must be a whole number from 1.`);
  return number;
}

/** @returns E.164 */
export function readPhoneArgument(text = ''): string {
  const phone = readPhone(text);
  if (phone === undefined) throw new UsageError(`"${text}" is no phone number.`);
  return phone;
}

/** @throws {UsageError} for other texts than days */
export function readRange(days: Days, timeZone: string): Range {
  const read = rangeOf(days, timeZone);
  if ('range' in read) return read.range;
  const flags = read.wrong.map((bound) => `--${bound}`).join(' and ');
  throw new UsageError(`${flags} must be a day such as 2026-11-20, and --to not before --from.`);
}

export function configOf(io: CommandIo): Config {
  const config = loadConfig(io.env);
  trust(config.trustedCa);
  return config;
}

/** @throws {StoreError} if no server has used the store, because an empty one would look like a quiet day */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config, { existing: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Waits for a slow reader. A reader that closes the pipe, such as `head`, is no failure. */
export async function print({ stdout }: CommandIo, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve, reject) => {
        stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
    }
  } catch (error) {
    if (!(Error.isError(error) && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

export function note({ stderr }: CommandIo, text: string): void {
  stderr.write(`${text}\n`);
}

/** Replaces control and bidi characters, which a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** `1 lead`, `2 leads`. */
export function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`;
}

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { openStore, type Store } from '../../leads/store/open-store.ts';
import { type Config, loadConfig } from '../config.ts';

/** Where a command reads from and writes to: standard output for data, standard error for everything else. */
export type CommandIo = {
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};

/** One command of the operator; a thrown error is shown and makes the exit code 1, a `UsageError` makes it 2. */
export type Command = {
  /** One or two words. */
  name: string;
  /** Arguments and flags as they are written after the name. */
  usage: string;
  /** What it does, in a line. */
  does: string;
  run(args: string[], io: CommandIo): Promise<void>;
};

/** The command was not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the operator can mend; only the message is of use. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * @param names of the arguments; the last may end with `…` and then stands for one or more
 * @throws {UsageError} when a flag is unknown, or there are not as many arguments as there are names
 */
export function parse<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
  names: readonly string[] = [],
) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const missing = names[parsed.positionals.length];
    if (missing !== undefined) throw new UsageError(`${missing.replace('…', '')} is missing.`);
    const surplus = names.at(-1)?.endsWith('…') ? undefined : parsed.positionals[names.length];
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    return parsed;
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(Error.isError(error) ? error.message : String(error));
  }
}

/** @throws {UsageError} */
export function readNumber(text: string | undefined, name: string): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${name} must be a whole number from 1.`);
  return Number(text);
}

/** @throws {ConfigError} */
export function configOf(io: CommandIo): Config {
  return loadConfig(io.env);
}

/** @throws {StoreError} if no server has ever kept leads here, because an empty database would look like a quiet day */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config, { existing: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes as fast as the reader reads. A reader that has gone away, such as `head`, has seen enough: no failure. */
export async function print({ stdout }: CommandIo, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  stdout.on('error', () => {}); // It arrives at the callback below as well; without a listener it would end the process.
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

/** A line for the operator beside the data. */
export function note({ stderr }: CommandIo, text: string): void {
  stderr.write(`${text}\n`);
}

/** Without control and bidi characters, which a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** `1 lead`, `2 leads`. */
export function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`;
}

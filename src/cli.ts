import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { broadcastSchema, storedBroadcast } from './broadcast/broadcast.ts';
import { type Config, loadConfig } from './config.ts';
import type { Workshop } from './edition/build.ts';
import { inputsOf, readCode } from './edition/inputs.ts';
import { readIndex } from './edition/open.ts';
import { databasePath, openDatabase } from './leads/database.ts';
import { leadDetails, leadsToCsv, leadsToJsonLines, leadTable } from './leads/export.ts';
import type { Lead, LeadStore } from './leads/lead.ts';
import { sqliteLeadStore } from './leads/sqlite-store.ts';
import { paths } from './paths.ts';

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

const commands: readonly Command[] = [
  {
    name: 'leads list',
    usage: '[--quarantined | --all] [--limit N] [--json]',
    does: 'shows the newest leads, 20 unless told otherwise; without a flag, those that are not in quarantine',
    async run(args, io) {
      const { values } = parse(args, {
        quarantined: { type: 'boolean' },
        all: { type: 'boolean' },
        limit: { type: 'string', default: '20' },
        json: { type: 'boolean' },
      });
      if (values.quarantined && values.all) throw new UsageError('--quarantined and --all exclude each other.');
      const limit = readNumber(values.limit, '--limit');
      const filter = values.all ? {} : { state: values.quarantined ? ('quarantined' as const) : ('new' as const) };
      await withLeads(io, async (store) => {
        const found = await store.list({ ...filter, limit: limit + 1 });
        const leads = found.slice(0, limit);
        await print(io, values.json ? leadsToJsonLines(each(leads)) : [leadTable(leads)]);
        if (leads.length === 0) note(io, 'There are none.');
        if (found.length > limit) note(io, `Only the newest ${limit} are shown; for more, add --limit N.`);
        if (!values.quarantined && !values.all && (await store.list({ state: 'quarantined', limit: 1 })).length > 0) {
          note(io, 'Some leads are in quarantine: look through them with "leads list --quarantined".');
        }
      });
    },
  },
  {
    name: 'leads show',
    usage: 'NUMBER [--json]',
    does: 'shows all that is known about one lead',
    async run(args, io) {
      const { values, positionals } = parse(args, { json: { type: 'boolean' } }, ['NUMBER']);
      const number = readNumber(positionals[0], 'NUMBER');
      await withLeads(io, async (store) => {
        const lead = await store.find(number);
        if (!lead) throw new CommandError(`There is no lead ${number}; "leads list --all" shows which there are.`);
        await print(io, values.json ? leadsToJsonLines(each([lead])) : [leadDetails(lead)]);
      });
    },
  },
  {
    name: 'leads export',
    usage: '[--json]',
    does: 'writes all leads, those in quarantine too, oldest first: CSV for spreadsheets, or JSON lines',
    async run(args, io) {
      const { values } = parse(args, { json: { type: 'boolean' } });
      await withLeads(io, (store) => print(io, values.json ? leadsToJsonLines(store.all()) : leadsToCsv(store.all())));
    },
  },
  {
    name: 'broadcast on',
    usage: 'URL',
    does: 'shows visitors the link to a live broadcast',
    async run(args, io) {
      const [url] = parse(args, {}, ['URL']).positionals;
      const state = broadcastSchema.safeParse({ status: true, url });
      if (!state.success) throw new UsageError(`${url} is no http or https address.`);
      withBroadcast(io, (broadcast) => broadcast.set(state.data));
    },
  },
  {
    name: 'broadcast off',
    usage: '',
    does: 'takes the link away',
    async run(args, io) {
      parse(args, {});
      withBroadcast(io, (broadcast) => broadcast.set({ status: false }));
    },
  },
  {
    name: 'broadcast status',
    usage: '',
    does: 'says whether the broadcast is on, and where',
    async run(args, io) {
      parse(args, {});
      const state = withBroadcast(io, (broadcast) => broadcast.read());
      await print(io, [state.status ? `on ${state.url}\n` : 'off\n']);
    },
  },
  {
    name: 'check',
    usage: '',
    does: 'checks everything that editors wrote; each finding names its file and line',
    async run(args, io) {
      parse(args, {});
      const { draftEdition } = await import('./edition/build.ts');
      const { draft } = draftEdition(workshopOf(configOf(io)));
      note(io, `Nothing to mend: ${draft.prerendered.length} pages.`);
    },
  },
  {
    name: 'prerender',
    usage: '[--out DIR]',
    does: 'makes the edition for the present content, in DATA_DIR/editions unless told otherwise',
    async run(args, io) {
      const { values } = parse(args, { out: { type: 'string' } });
      const config = configOf(io);
      const workshop = workshopOf(config);
      const editionsDir = resolve(values.out ?? paths.ownEditions(config.dataDir));
      const current = readIndex(join(editionsDir, 'current'));
      if (current?.inputs === inputsOf(workshop)) {
        note(io, `Edition ${current.id} is up to date.`);
        return;
      }
      const started = performance.now();
      const { buildEdition } = await import('./edition/build.ts');
      const dir = await buildEdition(workshop, editionsDir);
      note(io, `Edition ${basename(dir)} made in ${Math.round(performance.now() - started)} ms: ${dir}`);
    },
  },
];

/**
 * Runs one command.
 *
 * @param argv what follows the program's name
 * @returns the exit code: 0 done, 1 failed, 2 not understood
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const command = commands.find(({ name }) => name === argv.slice(0, words(name)).join(' '));
  const related = command ? [command] : commands.filter(({ name }) => name.startsWith(`${argv[0]} `));
  try {
    if (argv.includes('--help') || argv.includes('-h') || argv[0] === 'help') {
      await print(io, [help(related.length > 0 ? related : commands)]);
      return 0;
    }
    if (!command) throw new UsageError(argv.length > 0 ? `There is no command "${argv.join(' ')}".` : 'Which command?');
    await command.run(argv.slice(words(command.name)), io);
    return 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    note(io, Error.isError(error) ? error.message : String(error));
    if (usage) note(io, help(related.length > 0 ? related : commands).trimEnd());
    return usage ? 2 : 1;
  }
}

function words(name: string): number {
  return name.split(' ').length;
}

function help(about: readonly Command[]): string {
  const lines = about.map(({ name, usage, does }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${does}\n`);
  return `Usage: node dist/cli.js COMMAND\n\n${lines.join('')}`;
}

/** @throws {UsageError} when a flag is unknown, or there are not as many arguments as there are names */
function parse<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
  names: readonly string[] = [],
) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const missing = names[parsed.positionals.length];
    if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
    const surplus = parsed.positionals[names.length];
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    return parsed;
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(Error.isError(error) ? error.message : String(error));
  }
}

function readNumber(text: string | undefined, name: string): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${name} must be a whole number from 1.`);
  return Number(text);
}

function configOf(io: CommandIo): Config {
  return loadConfig(io.env, paths.content);
}

function workshopOf({ contentDir, siteUrl, integrations }: Config): Workshop {
  return { code: readCode(paths.code), contentDir, publicDir: paths.public, siteUrl, integrations };
}

async function withLeads(io: CommandIo, work: (store: LeadStore) => Promise<void>): Promise<void> {
  const { dataDir } = configOf(io);
  const path = databasePath(dataDir);
  // An empty database made here would look like a company without requests.
  if (!existsSync(path)) {
    throw new CommandError(`There is no ${path}: no server has run with this DATA_DIR; set DATA_DIR to the server's.`);
  }
  const database = openDatabase(dataDir);
  const store = sqliteLeadStore(database);
  try {
    await work(store);
  } finally {
    await store.close();
    database.close();
  }
}

function withBroadcast<T>(io: CommandIo, work: (broadcast: ReturnType<typeof storedBroadcast>) => T): T {
  const { dataDir, broadcastApiBase } = configOf(io);
  if (broadcastApiBase) {
    note(io, `The site asks ${broadcastApiBase} (BROADCAST_API_BASE) and does not look at what is stored here.`);
  }
  const database = openDatabase(dataDir);
  try {
    return work(storedBroadcast(database));
  } finally {
    database.close();
  }
}

async function* each(leads: readonly Lead[]): AsyncGenerator<Lead> {
  yield* leads;
}

/** Writes as fast as the reader reads. A reader that has gone away, such as `head`, has seen enough: no failure. */
async function print({ stdout }: CommandIo, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
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

function note({ stderr }: CommandIo, text: string): void {
  stderr.write(`${text}\n`);
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process);

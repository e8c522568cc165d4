import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { entriesOf, isPage, readIndex } from '../../src/edition/edition-index.ts';
import { polishedNote } from '../../src/edition/fitting.ts';
import { paths } from '../../src/lib/paths.ts';
import { openEditionStore } from '../../src/store/store.ts';
import { watchMemory } from './proc.ts';
import { production, type RunningServer, type ServerKind } from './servers.ts';

/** Files of the program that was built. */
export type Program = { main: string; commands: string };

/** A content that may be edited, and the folder of its data. */
export type Place = { program: Program; content: string; dataDir: string };

/** Milliseconds after which what does not come is not awaited any longer. */
const patience = 15 * 60_000;

/** The program that was built without the edition that was: it has everything to make. */
export function unshipped(folder: string): Program {
  const root = join(folder, 'unshipped');
  const program = { main: join(root, 'dist/main.js'), commands: join(root, 'dist/cli.js') };
  if (existsSync(root)) return program;
  const project = dirname(dirname(paths.main));
  mkdirSync(root);
  cpSync(join(project, 'dist'), join(root, 'dist'), { recursive: true, filter: (file) => !/\.sqlite/.test(file) });
  cpSync(join(project, 'public'), join(root, 'public'), { recursive: true });
  cpSync(join(project, 'package.json'), join(root, 'package.json'));
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  return program;
}

/** The content that ships, once more, and nothing published. */
export function newPlace(program: Program, folder: string): Place {
  const content = join(folder, 'content');
  cpSync(paths.content, content, { recursive: true });
  return { program, content, dataDir: join(folder, 'data') };
}

/** A server of the place. @param env what else it is told */
export function serverOf({ program, content, dataDir }: Place, env: NodeJS.ProcessEnv = {}): ServerKind {
  return production(dataDir, { CONTENT_DIR: content, ...env }, program.main);
}

/**
 * Runs a command of the operator.
 *
 * @param under a program that runs it, with its arguments
 * @returns seconds that it took, and the most megabytes that its processes held
 * @throws if it fails
 */
export async function command(
  { program, content, dataDir }: Place,
  name: string,
  under: readonly string[] = [],
): Promise<{ seconds: number; memory: number }> {
  const begun = performance.now();
  const [first = '', ...args] = [...under, process.execPath, program.commands, name];
  const child = spawn(first, args, {
    env: { PATH: process.env.PATH, SITE_URL: 'http://localhost:3000', DATA_DIR: dataDir, CONTENT_DIR: content },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const memory = watchMemory(child.pid ?? 0);
  const said = child.stderr.toArray();
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`"${name}" ended with ${code}:\n${(await said).join('')}`);
  return { seconds, memory: memory() };
}

/** What happens between a call and the moment at which a server says something: it takes so many seconds. */
export async function untilServed(
  { port }: Pick<RunningServer, 'port'>,
  path: string,
  words: string,
  happening: () => unknown,
): Promise<number> {
  const begun = performance.now();
  let failure: unknown;
  const happened = Promise.resolve(happening()).catch((error) => {
    failure = error;
  });
  for (;;) {
    if (failure !== undefined) throw failure;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    if ((await answer.text()).includes(words)) break;
    if (performance.now() - begun > patience) throw new Error(`"${words}" is never served at ${path}.`);
    await sleep(5);
  }
  const seconds = (performance.now() - begun) / 1000;
  await happened;
  return seconds;
}

/** Adds a paragraph of these words. */
export function addParagraph({ content }: Place, file: string, words: string): void {
  appendFileSync(join(content, file), `\n${words}\n`);
}

/** Gives the company another phone, which every page shows. @param number from 0 to 99 */
export function changePhone({ content }: Place, number: number): string {
  const file = join(content, 'company.yaml');
  const last = String(number).padStart(2, '0');
  const text = `+7 (495) 000-00-${last}`;
  const line = `phone: { number: "+74950000${last.padStart(3, '0')}", text: "${text}" }`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^phone: .*$/m, line));
  return text;
}

/** What a database has, whoever else uses it. */
export function rowsOf(file: string, query: string) {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare(query).all();
}

/** The published edition as it lies in the store. */
export function published({ dataDir }: Place) {
  const store = openEditionStore(paths.ownEditions(dataDir), { for: 'serve' });
  const [present] = store.publications();
  const row = store.everyEdition().find(({ snapshot }) => snapshot === present?.snapshot);
  const index = row && readIndex(row.root, store);
  const polished = row !== undefined && store.note(polishedNote(row.root)) !== undefined;
  const entries = index ? entriesOf(index, store) : [];
  store.close();
  const pages = entries.flatMap((entry) => (index && isPage(entry, index) ? [entry.path] : []));
  return { index, entries, pages, polished };
}

/** Waits until the server of a place has nothing to do beside serving. */
export async function settled(place: Place): Promise<void> {
  const end = performance.now() + patience;
  while (!published(place).polished) {
    if (performance.now() > end) throw new Error('The edition is never polished.');
    await sleep(200);
  }
  // The process that did it ends.
  await sleep(500);
}

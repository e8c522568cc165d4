import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import * as z from 'zod';
import { plainPath } from '../http/canonical.ts';
import { movedAddresses } from '../http/redirects.ts';
import { dayMs, minuteMs } from '../lib/durations.ts';
import { makeFolder, timestampOf } from '../lib/files.ts';
import { FrequentNames } from '../lib/frequent-names.ts';
import { repeatedly } from '../lib/repeatedly.ts';
import { isSecret } from '../model/addresses.ts';
import { type Command, configOf, note, parse, print, printable } from './command.ts';
import { shownContent } from './content-commands.ts';

/*
 * Counts the addresses that visitors ask for and that the site does not have, such as those of the company's former site.
 * Each process has a file in `DATA_DIR`, named by its machine and port.
 */

const maxPathLength = 200;
/** Containers have new names after each update. */
const maxFileAgeMs = 90 * dayMs;

const storedCounts = z.array(z.tuple([z.string(), z.number()]));

export type NotFoundPaths = {
  add(path: string): void;
  /** Stores the counts. */
  stop(): Promise<void>;
};

export function countNotFound(dataDir: string, port: number, logger: Logger): NotFoundPaths {
  const file = join(dataDir, `not-found-${hostname()}-${port}.json`);
  const names = new FrequentNames(readCounts(file));
  let [added, stored] = [0, 0];
  removeOld(dataDir);

  async function save(): Promise<void> {
    if (added === stored) return;
    const storing = added;
    makeFolder(dataDir);
    await writeFile(`${file}.part`, JSON.stringify(names.entries()), { mode: 0o600 });
    await rename(`${file}.part`, file);
    stored = storing;
  }

  const saving = repeatedly(save, { intervalMs: minuteMs, logger });
  return {
    add(asked) {
      const path = plainPath(asked);
      if (path === undefined || path.length > maxPathLength || isSecret(path)) return;
      names.add(path);
      added += 1;
    },
    stop() {
      saving.again();
      return saving.stop();
    },
  };
}

/** A damaged file counts as missing: the counts are only advice. */
function readCounts(file: string): [string, number][] {
  try {
    return storedCounts.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

function filesIn(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  const names = readdirSync(dataDir).filter((name) => /^not-found-.*\.json$/.test(name));
  return names.map((name) => join(dataDir, name));
}

function removeOld(dataDir: string): void {
  const oldest = Date.now() - maxFileAgeMs;
  for (const file of filesIn(dataDir)) if (Number(timestampOf(file)) < oldest) rmSync(file, { force: true });
}

export const notFoundCommand: Command = {
  name: 'not-found',
  usage: '',
  does: 'lists the addresses that visitors asked for and that have neither a page nor a redirect, most frequent first',
  async run(args, io) {
    parse(args, {});
    const config = configOf(io);
    const { find, content } = (await shownContent(config)).site;
    const movedTo = movedAddresses(content.redirects);
    const counts = new Map<string, number>();
    for (const [path, count] of filesIn(config.dataDir).flatMap(readCounts)) {
      counts.set(path, (counts.get(path) ?? 0) + count);
    }
    const missing = [...counts].filter(([path]) => find(path) === undefined && movedTo(path, '') === undefined);
    const lines = missing
      .sort(([, one], [, other]) => other - one)
      .map(([path, count]) => `${count}\t${printable(path)}\n`);
    await print(io, lines);
    if (lines.length === 0) note(io, 'No address is missing.');
  },
};

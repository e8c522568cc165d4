import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../lib/files.ts';
import { ContentError } from '../loading/problem.ts';

/*
 * Stores why the last publication failed, in the folder of the revisions. Every server reports it, also after a restart
 * and for attempts of other processes.
 */

const fileName = 'failed-publication.json';
const maxProblems = 100;

const failedPublication = z.object({
  /** When attempts began to fail, ISO 8601 in UTC. */
  since: z.iso.datetime(),
  /** Errors of the content; none if the content is not the cause. */
  problems: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      field: z.string(),
      message: z.string(),
      instead: z.string().optional(),
    }),
  ),
});

export type FailedPublication = z.output<typeof failedPublication>;

export function readFailedPublication(folder: string): FailedPublication | undefined {
  try {
    return failedPublication.parse(JSON.parse(readFileSync(join(folder, fileName), 'utf8')));
  } catch {
    return undefined;
  }
}

/** As far as the disk allows; the caller reports the error as well. */
export function storeFailedPublication(folder: string, error: unknown, at: Date): void {
  const problems = error instanceof ContentError ? error.problems.filter(({ warning }) => !warning) : [];
  const since = readFailedPublication(folder)?.since ?? at.toISOString();
  const kept: FailedPublication = { since, problems: problems.slice(0, maxProblems) };
  try {
    mkdirSync(folder, { recursive: true });
    replaceFile(join(folder, fileName), JSON.stringify(kept));
  } catch {
    // See above.
  }
}

export function clearFailedPublication(folder: string): void {
  rmSync(join(folder, fileName), { force: true });
}

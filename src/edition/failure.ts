import { ContentError } from '../reading/problem.ts';

/** Why the newest content is not what visitors see: told to every process with this store until it is mended. */
export type Failure = { at: string; problems: number; message: string };

export function failureOf(error: unknown, at: Date): Failure {
  const problems = error instanceof ContentError ? error.problems.length : 1;
  return { at: at.toISOString(), problems, message: Error.isError(error) ? error.message : String(error) };
}

export function readFailure(note: string | undefined): Failure | undefined {
  return note === undefined ? undefined : JSON.parse(note);
}

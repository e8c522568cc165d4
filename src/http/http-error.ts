import { shorten } from '../lib/tidy.ts';

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** The address is wrong, so retrying is useless. */
  readonly fatal: boolean;
  /** For visitors, in Russian. */
  readonly explanation: string | undefined;

  constructor(
    status: number,
    message: string,
    { fatal = false, explanation, cause }: { fatal?: boolean; explanation?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.fatal = fatal;
    this.explanation = explanation;
  }
}

const maxPathLength = 201;

export function notFound(path: string): HttpError {
  return new HttpError(404, `Page not found: ${shorten(path, maxPathLength)}`);
}

/** The route exists, but its parameters match nothing. */
export function invalidPath(path: string): HttpError {
  return new HttpError(404, `Page Not Found: ${shorten(path, maxPathLength)}`, { fatal: true });
}

import { shorten } from '../lib/tidy.ts';

/** An answer other than the page that was asked for. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** Whether the address itself is at fault, so that asking again is of no use. */
  readonly fatal: boolean;
  /** What people read of it, in Russian; without it, what is said of its status. */
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

/** Characters of an address in a message, and the ellipsis. */
const shown = 201;

/** No route has this address. */
export function notFound(path: string): HttpError {
  return new HttpError(404, `Page not found: ${shorten(path, shown)}`);
}

/** A route has this address, yet what it names does not exist. */
export function invalidPath(path: string): HttpError {
  return new HttpError(404, `Page Not Found: ${shorten(path, shown)}`, { fatal: true });
}

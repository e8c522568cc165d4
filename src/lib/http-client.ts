import { hourMs } from './calendar.ts';
import { explainCode, RemoteError } from './remote-error.ts';

/** An answer whose body is not read yet. */
export type Answer = {
  status: number;
  /** Milliseconds that the other side asked to wait; 0 if it did not. */
  retryAfterMs: number;
  /** The other side asks for fewer requests. */
  tooMany: boolean;
  /**
   * The body as JSON; `undefined` if it is none, or too long.
   *
   * @throws {RemoteError} if it does not come
   */
  json(): Promise<unknown>;
  /** Ends the answer; its body is not wanted. */
  discard(): Promise<void>;
};

/** Bytes of an answer that are read at most. */
const bodyLimit = 64 * 1024;

const longestWaitMs = hourMs;

/**
 * Posts JSON once. Redirects are not followed: they would take a lead to where the operator did not send it.
 *
 * @param url may hold a secret: of it, only the host gets into a message
 * @param who what the other side is called in messages
 * @throws {RemoteError} if no answer came. It has no cause, because what `fetch` throws may hold the address
 */
export async function postJson(
  url: string,
  options: { who: string; body: string; headers?: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<Answer> {
  const { who, body, headers, signal } = options;
  const place = `${who} at ${URL.parse(url)?.host}`;
  const failure = (error: unknown) =>
    new RemoteError(`${place}: ${signal.aborted ? 'it did not answer in time' : explainCode(codeOf(error))}`);

  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'korob' },
      body,
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    throw failure(error);
  }
  // A body that has ended or failed by itself cannot be cancelled.
  const discard = async () => void (await response.body?.cancel().catch(() => undefined));
  if (response.status >= 300 && response.status < 400) {
    await discard();
    throw new RemoteError(
      `${place}: it redirected (${response.status}), and redirects are not followed; set its final address`,
    );
  }
  return {
    status: response.status,
    retryAfterMs: [429, 503].includes(response.status) ? waitOf(response.headers.get('retry-after')) : 0,
    tooMany: response.status === 429,
    discard,
    json: async () => {
      try {
        return await readJson(response);
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

/** A wait that the other side asked for: never negative, at most an hour. @param ms milliseconds, or `NaN` */
export function clampWait(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : 0;
}

/** `Retry-After` is a number of seconds or a date. */
function waitOf(header: string | null): number {
  if (header === null) return 0;
  return clampWait(/^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now());
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > bodyLimit) return undefined; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error; Error.isError(at); at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

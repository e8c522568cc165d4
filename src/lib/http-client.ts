import { hourMs } from './calendar.ts';
import { explainCode, RemoteError } from './remote-error.ts';

export type Answer = {
  status: number;
  /** From `Retry-After`; 0 without it. */
  retryAfterMs: number;
  tooMany: boolean;
  /** `undefined` if it is not JSON or exceeds 64 KB. @throws {RemoteError} if reading fails */
  json(): Promise<unknown>;
  /** Releases the connection without reading. */
  discard(): Promise<void>;
};

const bodyLimit = 64 * 1024;

const longestWaitMs = hourMs;

/**
 * Does not follow redirects, which could take a lead to an unknown server. The URL may hold a secret, so errors name
 * only its host and have no cause.
 *
 * @throws {RemoteError} without a response, or with a redirect
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
  // `cancel` rejects when the body has already ended or failed.
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

/**
 * @param ms may be `NaN`
 * @returns between 0 and one hour
 */
export function clampWait(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : 0;
}

/** `Retry-After` is a number of seconds or a date (RFC 9110). */
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

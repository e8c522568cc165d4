import { hourMs } from './durations.ts';
import { explainCode, RemoteError } from './remote-error.ts';

export type RemoteAnswer = {
  status: number;
  /** `undefined` if it is not JSON or exceeds 64 KB. */
  body: unknown;
  /** Milliseconds the server asks to wait. */
  pauseMs: number;
};

const maxBodyBytes = 64 * 1024;
/** After a 429 without Retry-After. */
const defaultPauseMs = 5_000;

/**
 * Redirects could send a lead to an unknown server. The URL may hold a secret, so errors name only its host and have no
 * cause.
 *
 * @throws {RemoteError} if there is no response, or a redirect
 */
export async function postJson(
  url: string,
  options: { who: string; body: string; headers?: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<RemoteAnswer> {
  const { who, body, headers, signal } = options;
  const place = `${who} at ${URL.parse(url)?.host}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'korob' },
      body,
      redirect: 'manual',
      signal,
    });
    const { status } = response;
    const answer = { status, body: await readJson(response), pauseMs: pauseOf(response) };
    if (status < 300 || status >= 400) return answer;
  } catch (error) {
    throw new RemoteError(`${place}: ${signal.aborted ? 'it did not answer in time' : explainCode(codeOf(error))}`);
  }
  throw new RemoteError(`${place}: it redirected, and redirects are not followed; set its final address`);
}

/**
 * @param ms may be `NaN`
 * @returns between 0 and one hour
 */
export function clampPause(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), hourMs) : 0;
}

/** `Retry-After` is seconds or a date (RFC 9110). */
function pauseOf({ status, headers }: Response): number {
  const after = headers.get('retry-after') ?? '';
  const asked = clampPause(/^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now());
  if (status === 429) return asked || defaultPauseMs;
  return status === 503 ? asked : 0;
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** Fetch wraps the original error. */
function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error; Error.isError(at); at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { createSecureContext, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hourMs } from './durations.ts';
import { codeOf, explainCode, RemoteError } from './remote-error.ts';

export type RemoteAnswer = {
  status: number;
  /** `undefined` if it is not JSON or exceeds 64 KB. */
  body: unknown;
  /** Milliseconds the server asks to wait. */
  pauseMs: number;
};

type RemoteRequest = {
  who: string;
  /** JSON; a request without it is a `GET`. */
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** For https, if the default trust does not suffice. */
  agent?: Agent | undefined;
  signal: AbortSignal;
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
export async function requestJson(
  url: string,
  { who, body, headers, agent, signal }: RemoteRequest,
): Promise<RemoteAnswer> {
  const place = `${who} at ${URL.parse(url)?.host}`;
  try {
    const response = await send(url, body, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }), 'user-agent': 'korob' },
      agent,
      signal,
    });
    const { statusCode: status = 0 } = response;
    const answer = { status, body: await readJson(response), pauseMs: pauseOf(response) };
    // Node ends the body of an aborted request without an error.
    signal.throwIfAborted();
    if (status < 300 || status >= 400) return answer;
  } catch (error) {
    throw new RemoteError(`${place}: ${signal.aborted ? 'it did not answer in time' : explainCode(codeOf(error))}`);
  }
  throw new RemoteError(`${place}: it redirected, and redirects are not followed; set its final address`);
}

/** For all connections of this process, which otherwise trust what Node trusts. */
export function trust(certificates: string | undefined): void {
  if (certificates !== undefined) setDefaultCACertificates([...getCACertificates('default'), certificates]);
}

/** For one server alone: trusts these certificates in addition to those that Node trusts. */
export function agentTrusting(certificates: string): Agent {
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), certificates] });
  return new Agent({ secureContext, keepAlive: true });
}

/**
 * @param ms may be `NaN`
 * @returns between 0 and one hour
 */
export function clampPause(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), hourMs) : 0;
}

/** `fetch` of Node cannot trust a certificate for one server alone. */
function send(url: string, body: string | undefined, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
    request(url, options).on('response', resolve).on('error', reject).end(body);
  });
}

/** `Retry-After` is seconds or a date (RFC 9110). */
function pauseOf({ statusCode, headers }: IncomingMessage): number {
  const after = headers['retry-after'] ?? '';
  const asked = clampPause(/^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now());
  if (statusCode === 429) return asked || defaultPauseMs;
  return statusCode === 503 ? asked : 0;
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined; // leaving the loop closes the connection
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

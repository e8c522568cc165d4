/** An attempt that failed. The message tells the operator why, and holds nothing of the lead and no secret. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  /** Milliseconds that the other side asked to wait; 0 if it did not. */
  readonly retryAfterMs: number;
  /** Whether it takes no message at all just now, rather than not this one. */
  readonly tooMany: boolean;

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number; tooMany?: boolean } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.tooMany = options.tooMany ?? false;
  }
}

const causes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused; check the address and whether the server runs',
  ENOTFOUND: 'its name is unknown; check the address',
  EDNS: 'its name is unknown; check the address',
  EAI_AGAIN: 'its name could not be looked up; check the network and its name server',
  EHOSTUNREACH: 'it cannot be reached; check the network',
  ENETUNREACH: 'it cannot be reached; check the network',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  ECONNRESET: 'it closed the connection without an answer',
  ECONNECTION: 'it closed the connection without an answer',
  EPIPE: 'it closed the connection without an answer',
  UND_ERR_SOCKET: 'it closed the connection without an answer',
};

/** Why the other side could not be spoken to, from the code of a system error: words for the operator. */
export function explainCode(code: string | undefined): string {
  if (code === undefined) return 'the connection failed';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
  return causes[code] ?? `the connection failed (${code})`;
}

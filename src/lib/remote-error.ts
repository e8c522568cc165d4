/** The message is for operators, without lead data or secrets. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  /** From `Retry-After`; 0 without it. */
  readonly retryAfterMs: number;
  /** The server limits all requests, not just this one. */
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

export function explainCode(code: string | undefined): string {
  if (code === undefined) return 'the connection failed';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
  return causes[code] ?? `the connection failed (${code})`;
}

/** Messages are for operators, without lead data or secrets. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  /** Milliseconds the server asks to wait. */
  readonly pauseMs: number;

  constructor(message: string, { pauseMs = 0 }: { pauseMs?: number } = {}) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

const late = 'it did not answer in time';
const hungUp = 'it closed the connection without an answer';

const causes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused; check the address and whether the server runs',
  ENOTFOUND: 'its name is unknown; check the address',
  EDNS: 'its name is unknown; check the address',
  EAI_AGAIN: 'its name could not be looked up; check the network and its name server',
  ETIMEDOUT: late,
  ECONNRESET: hungUp,
  ECONNECTION: hungUp,
  EPIPE: hungUp,
};

/** Of the system or a library, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  return Error.isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function explainCode(code: string | undefined): string {
  if (code === undefined) return 'the connection failed';
  if (/^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/.test(code)) {
    return 'it does not speak TLS there; check the protocol and the port of the address';
  }
  if (code.startsWith('HPE_')) return 'it does not speak HTTP there; check the protocol and the port of the address';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
  return causes[code] ?? `the connection failed (${code})`;
}

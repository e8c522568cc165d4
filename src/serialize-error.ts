import { stdSerializers } from 'pino';
import { StoreError } from './leads/store/sql.ts';
import { RemoteError } from './lib/remote-error.ts';

/** For the log. Of a failure that is foreseen, the sentence says all. */
export function serializeError(error: unknown) {
  const foreseen = error instanceof StoreError || error instanceof RemoteError;
  return foreseen ? { type: error.name, message: error.message } : stdSerializers.err(error as Error);
}

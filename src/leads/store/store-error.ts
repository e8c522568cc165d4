export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** Of the response. */
  readonly status = 503;
}

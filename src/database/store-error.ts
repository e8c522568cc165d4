/** The store could not do what was asked; `cause` says why. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

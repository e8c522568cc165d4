/** The store could not do what was asked; `cause` says why. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** Whether it is about what was given, and not about the store: without that, the rest can be kept. */
  readonly ofValues: boolean;

  constructor(message: string, { ofValues = false, ...options }: ErrorOptions & { ofValues?: boolean } = {}) {
    super(message, options);
    this.ofValues = ofValues;
  }
}

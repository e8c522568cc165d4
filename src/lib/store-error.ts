/** The store could not do what was asked; `cause` says why. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** Whether some of what was to be written together may be written alone. */
  readonly alone: boolean;

  constructor(message: string, { alone = false, ...options }: ErrorOptions & { alone?: boolean } = {}) {
    super(message, options);
    this.alone = alone;
  }
}

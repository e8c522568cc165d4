export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The lead that failed can be left out, and the rest of its batch kept. */
  readonly alone: boolean;

  constructor(message: string, { alone = false, ...options }: ErrorOptions & { alone?: boolean } = {}) {
    super(message, options);
    this.alone = alone;
  }
}

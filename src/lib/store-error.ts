export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The values were rejected, but the store works. */
  readonly ofValues: boolean;

  constructor(message: string, { ofValues = false, ...options }: ErrorOptions & { ofValues?: boolean } = {}) {
    super(message, options);
    this.ofValues = ofValues;
  }
}

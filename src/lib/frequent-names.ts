const maxNames = 1_000;
/** The rest is for new names. */
const maxLasting = 800;

/**
 * Counts names in bounded memory. A name that is counted once only replaces others that were, so a flood of different names
 * does not replace those that come again.
 */
export class FrequentNames {
  /** Counted more than once. */
  private readonly lasting = new Map<string, number>();
  /** The latest of the others. */
  private readonly recent = new Map<string, number>();

  /** @param counts of `entries` */
  constructor(counts: Iterable<readonly [name: string, count: number]> = []) {
    for (const [name, count] of [...counts].reverse()) this.place(name, count);
  }

  add(name: string): void {
    this.place(name, (this.lasting.get(name) ?? this.recent.get(name) ?? 0) + 1);
  }

  /** The most frequent first. */
  entries(): [name: string, count: number][] {
    return [...this.lasting, ...this.recent].sort(([, one], [, other]) => other - one);
  }

  private place(name: string, count: number): void {
    this.recent.delete(name);
    if (this.lasting.has(name) || (count > 1 && this.makeRoomFor(count))) {
      this.lasting.set(name, count);
      return;
    }
    this.recent.set(name, count);
    const [oldest] = this.recent.keys();
    if (this.lasting.size + this.recent.size > maxNames && oldest !== undefined) this.recent.delete(oldest);
  }

  /** @returns whether there is room for a name among those that last */
  private makeRoomFor(count: number): boolean {
    if (this.lasting.size < maxLasting) return true;
    const [name, least] = [...this.lasting].reduce((one, other) => (other[1] < one[1] ? other : one));
    return least < count && this.lasting.delete(name);
  }
}

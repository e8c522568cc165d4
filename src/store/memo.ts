import { type Hash, keyOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import { type EditionStore, openEditionStore } from './store.ts';

/** Does pure steps once: what a step has made is kept under a hash of all that it was made of. */
export type Memo = {
  /**
   * @param parts everything that the result depends on besides the code, as plain data; the first one names the step
   * @param make its result must be plain JSON: the caller gets what `JSON.parse` makes of it
   * @param holds whether an earlier result can still be used; one that names what is gone cannot
   */
  once<T>(parts: readonly unknown[], make: () => T, holds?: (result: T) => boolean): T;
  /** The same for a step that takes its time. */
  onceAsync<T>(parts: readonly unknown[], make: () => Promise<T>): Promise<T>;
  /** Keeps what is too long for a result, which then names it by its hash. */
  keep(text: string): Hash;
  has(hash: Hash): boolean;
  /** @throws if there is no such text any more, or it is damaged */
  text(hash: Hash): string;
  /** Keys of all that was asked for. */
  used: ReadonlySet<Hash>;
};

/** Something that was made before cannot be read any more; all that was made of it has to be made again. */
export class MissingText extends Error {
  override readonly name = 'MissingText';
}

/** @param code id of the program, since another one may make something else of the same */
export function memoIn(
  store: Pick<EditionStore, 'memo' | 'setMemo' | 'keep' | 'bytes' | 'hashes'>,
  code: string,
): Memo {
  const used = new Set<Hash>();
  const hashes = lazy(store.hashes);

  function known(parts: readonly unknown[]): { key: Hash; value: string | undefined } {
    const key = keyOf(code, ...parts);
    used.add(key);
    return { key, value: store.memo(key) };
  }

  function made<T>(key: Hash, result: T): T {
    const value = JSON.stringify(result);
    store.setMemo(key, value);
    return JSON.parse(value);
  }

  return {
    once(parts, make, holds) {
      const { key, value } = known(parts);
      if (value === undefined) return made(key, make());
      const result = JSON.parse(value);
      return holds === undefined || holds(result) ? result : made(key, make());
    },
    async onceAsync(parts, make) {
      const { key, value } = known(parts);
      return value === undefined ? made(key, await make()) : JSON.parse(value);
    },
    keep(text) {
      const hash = store.keep(text);
      hashes().add(hash);
      return hash;
    },
    has: (hash) => hashes().has(hash),
    text(hash) {
      const bytes = store.bytes(hash);
      if (bytes === undefined) throw new MissingText(`The text ${hash} is missing from the store of editions.`);
      return bytes.toString();
    },
    used,
  };
}

/** Remembers nothing beyond itself: for a look at a content that no server shows, and for tests. */
export function forgetfulMemo(): Memo {
  return memoIn(openEditionStore(':memory:', { for: 'make' }), '');
}

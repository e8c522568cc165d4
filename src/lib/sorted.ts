import { lazy } from './lazy.ts';

/** Texts in order, in which those with the same beginning are neighbours. */
export type Sorted = {
  texts: readonly string[];
  /** How many letters each begins with as the one before it does, up to 255. */
  shared(): Uint8Array;
};

export function sorted(texts: readonly string[]): Sorted {
  const shared = lazy(() => Uint8Array.from(texts, (text, at) => Math.min(255, sharedBy(texts[at - 1] ?? '', text))));
  return { texts, shared };
}

function sharedBy(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** Those that have this beginning. */
export function beginningWith({ texts }: Sorted, beginning: string): readonly string[] {
  return texts.slice(wouldStand(texts, beginning), wouldStand(texts, `${beginning}\uFFFF`));
}

/** Where a text stands in the list; `undefined` if it does not. */
export function placeOf({ texts }: Sorted, text: string): number | undefined {
  const place = wouldStand(texts, text);
  return texts[place] === text ? place : undefined;
}

function wouldStand(texts: readonly string[], text: string): number {
  let [low, high] = [0, texts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those that differ from a text by so many letters at most, each with how many they are. */
export function nearlyLike({ texts, shared }: Sorted, text: string, most: number): Map<string, number> {
  const found = new Map<string, number>();
  const width = text.length + 1;
  // Levenshtein's table, as far as it can matter: row n says how much the first n letters differ from each beginning of
  // the text. Neighbours in the list share their first rows, and most letters are never looked at.
  const table = new Uint8Array(width * (width + most + 1)).fill(most + 1);
  for (let column = 0; column <= Math.min(text.length, most); column++) table[column] = column;

  /** @returns the least in the row */
  function fillRow(row: number, letter: number): number {
    let least = most + 1;
    for (let column = Math.max(0, row - most); column <= Math.min(text.length, row + most); column++) {
      const at = row * width + column;
      const [left = 0, corner = 0, above = 0] = [table[at - 1], table[at - width - 1], table[at - width]];
      let value = row;
      if (column > 0 && text.charCodeAt(column - 1) === letter) value = corner;
      else if (column > 0) value = Math.min(most, left, corner, above) + 1;
      table[at] = value;
      if (value < least) least = value;
    }
    return least;
  }

  const sharedBefore = shared();
  let rows = 0;
  let least = 0;
  for (let place = 0; place < texts.length; place++) {
    const shared = Math.min(rows, sharedBefore[place] ?? 0);
    // It begins as one that differs too much already.
    if (shared === rows && least > most) continue;
    const one = texts[place] ?? '';
    least = 0;
    for (rows = shared; rows < one.length && least <= most; rows++) least = fillRow(rows + 1, one.charCodeAt(rows));
    const distance = table[rows * width + text.length] ?? 0;
    if (least <= most && distance <= most) found.set(one, distance);
  }
  return found;
}

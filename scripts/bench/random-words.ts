/** Makes texts and queries that are the same in every run. */
export type RandomWords = {
  /** So many words, each as often as it is in the texts that they come from; some are in few texts. */
  text(words: number): string;
  /** What people type, well or badly, and what machines do. */
  query(): string;
};

/** Of ten thousand texts, each has some words that hardly any other has: a vocabulary grows with them. */
const rareWords = 40_000;
const rareShare = 0.05;
const syllables = 'ка ро ти ло ме ста пре но ва ли гра шу ды ре по зе бу хо мя ви'.split(' ');
const endings = ['', 'а', 'ы', 'ой', 'ами', 'ение', 'ить', 'ный', 'ная', 'ов'];
const longest = 100;

export function randomWords(texts: readonly string[]): RandomWords {
  const common = texts.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  const forms = [...new Set(common)].filter((word) => word.length > 4);
  const next = randomNumbers(1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const rare = Array.from(
    { length: rareWords },
    () => pick(syllables) + pick(syllables) + pick(syllables) + pick(endings),
  );

  const word = () => (next() < rareShare ? pick(rare) : pick(common));
  const several = (count: number, one: () => string) => Array.from({ length: count }, one).join(' ');
  const known = () => pick(forms);

  /** A letter left out, doubled, or in its neighbour's place. */
  function misspelt(): string {
    const right = known();
    const at = 1 + Math.floor(next() * (right.length - 2));
    const [a, b] = [right.charAt(at), right.charAt(at + 1)];
    return right.slice(0, at) + pick(['', a + a, b + a]) + right.slice(at + 1);
  }
  const letters = (length: number) => Array.from({ length }, () => pick([...'абвгдежзиклмнопрстуфхцчшщыэюя'])).join('');

  const queries: (() => string)[] = [
    known,
    () => several(2, known),
    () => several(3, word),
    () => several(5, word),
    misspelt,
    () => `${misspelt()} ${known()}`,
    () => several(4, misspelt),
    () => known().slice(0, 4),
    () => pick(rare),
    () => letters(1),
    () => several(12, () => letters(2)),
    () => letters(9),
    () => several(8, () => letters(12)),
    () => letters(longest),
    () => several(30, word).slice(0, longest),
    () => several(30, () => pick(common.slice(0, 300))).slice(0, longest),
    () => `wb ${known()} fbo ${Math.floor(next() * 2000)}`,
    () =>
      several(12, () =>
        letters(8).replace(/./g, (letter) => String.fromCharCode(97 + ((letter.codePointAt(0) ?? 0) % 26))),
      ),
  ];
  return { text: (words) => several(words, word), query: () => pick(queries)().slice(0, longest) };
}

/** Numbers from 0 up to 1, the same ones for each seed: Lehmer's, with the multiplier of MINSTD. */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 7_919) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

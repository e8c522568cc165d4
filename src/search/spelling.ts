const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const russianKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю';

const toRussian = new Map([...latinKeys].map((key, index) => [key, russianKeys[index] ?? key]));
const toLatin = new Map([...russianKeys].map((key, index) => [key, latinKeys[index] ?? key]));

/** Longer sequences first. */
const sounds = (
  'shch щ, sch щ, zh ж, kh х, ts ц, ch ч, sh ш, ph ф, yo е, ya я, ja я, yu ю, ju ю, x кс, a а, b б, c к, d д, e е, ' +
  'f ф, g г, h х, i и, j й, k к, l л, m м, n н, o о, p п, q к, r р, s с, t т, u у, v в, w в, y ы, z з'
)
  .split(', ')
  .map((pair) => pair.split(' '));

/** Switches the keyboard layout: «afkabkvtyn» for «фулфилмент». */
export function retyped(text: string): string {
  const lower = text.toLowerCase();
  const keys = /[а-яё]/.test(lower) ? toLatin : toRussian;
  return Array.from(lower, (key) => keys.get(key) ?? key).join('');
}

/** «upakovka» -> «упаковка»; other words are unchanged. */
export function transliterated(word: string): string {
  let rest = word.replace(/[iy][jy](?![a-z])/g, 'ый').replace(/(?<=[aeou])y/g, 'й');
  for (const [latin = '', russian = ''] of sounds) rest = rest.replaceAll(latin, russian);
  return rest;
}

const letters = new Map(
  Object.entries({
    ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'j', к: 'k', л: 'l' },
    ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'h', ц: 'c', ч: 'ch', ш: 'sh' },
    ...{ щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  }),
);

const maxLength = 60;

/** «Рейсы в новый центр» -> `rejsy-v-novyj-centr`; may be empty. */
export function slugOf(title: string): string {
  const latin = Array.from(title.toLowerCase(), (letter) => letters.get(letter) ?? letter).join('');
  const words = latin.match(/[a-z0-9]+/g) ?? [];
  return words.reduce((slug, word) => {
    const longer = slug === '' ? word.slice(0, maxLength) : `${slug}-${word}`;
    return longer.length > maxLength ? slug : longer;
  }, '');
}

const sounds = new Map([...letters].flatMap(([letter, latin]) => (latin === '' ? [] : [[latin, letter] as const])));
for (const [latin, letter] of Object.entries({ e: 'е', yo: 'ё', kh: 'х', ts: 'ц', w: 'в' })) sounds.set(latin, letter);
const sound = new RegExp([...sounds.keys()].sort((a, b) => b.length - a.length).join('|'), 'g');

/** «dostavka» -> «доставка», by the usual ways to spell it. */
export function cyrillicOf(word: string): string {
  return word.toLowerCase().replace(sound, (latin) => sounds.get(latin) ?? latin);
}

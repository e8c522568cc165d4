import { randomNumbers } from './random-words.ts';

/** An article about nothing in particular, which is the same in every run. */
export type GeneratedArticle = {
  slug: string;
  title: string;
  /** One sentence, which no other article has. */
  description: string;
  /** `2024-03-01` */
  date: string;
  /** Slug of another one. */
  related: string;
  /** Some 4 to 5 KB of Markdown; links are written by `address`. */
  text: string;
};

const things = 'коробы паллеты этикетки поставки остатки возвраты упаковку приёмку маршруты накладные'.split(' ');
const people = 'кладовщик приёмщик логист упаковщик менеджер водитель продавец диспетчер'.split(' ');
const deeds = 'проверяет пересчитывает отмечает готовит сверяет откладывает описывает передаёт'.split(' ');
const times = 'утром|после обеда|до конца смены|в день отправки|раз в неделю|перед сезоном|за два дня до рейса'.split(
  '|',
);
const places = 'у ворот|на втором ярусе|в зоне приёмки|на столе упаковки|в кабинете площадки|на складе хранения'.split(
  '|',
);
const reasons =
  'иначе расхождение найдут слишком поздно|чтобы рейс не ждал|потому что пересорт обходится дороже|так проще отвечать на вопросы|чтобы никто не искал одно и то же дважды'.split(
    '|',
  );

/**
 * Writes so many articles, each linked with some others.
 *
 * @param address of the article with this slug
 */
export function generatedArticles(count: number, address: (slug: string) => string): GeneratedArticle[] {
  const slugOf = (number: number) => `zapis-${String((number % count) + 1).padStart(5, '0')}`;
  return Array.from({ length: count }, (_, number) => {
    const next = randomNumbers(number + 1);
    const below = (limit: number) => Math.floor(next() * limit);
    const pick = (from: readonly string[]) => from[below(from.length)] ?? '';
    const sentence = () => {
      const [first = '', ...others] = pick(people);
      const words = `${first.toUpperCase()}${others.join('')} ${pick(deeds)} ${pick(things)} ${pick(times)} ${pick(places)}`;
      return `${words}, ${pick(reasons)}.`;
    };
    const paragraph = (sentences: number) => Array.from({ length: sentences }, sentence).join(' ');
    const link = () => {
      const slug = slugOf(number + 1 + below(count - 1));
      return `Подробнее об этом — [в записи ${slug.slice(-5)}](${address(slug)}).`;
    };
    const list = Array.from({ length: 4 }, () => `- ${pick(people)} ${pick(deeds)} ${pick(things)} ${pick(times)};`);
    const rows = Array.from({ length: 5 }, () => `| ${pick(things)} | ${1 + below(90)} | ${pick(times)} |`);
    const name = `${pick(people)} ${pick(deeds)} ${pick(things)}`;
    return {
      slug: slugOf(number),
      title: `Запись ${number + 1}: ${name}`,
      description: `Запись номер ${number + 1} о том, как ${name} ${pick(times)} ${pick(places)}.`,
      date: new Date(Date.UTC(2020, 0, 1 + (number % 2_000))).toISOString().slice(0, 10),
      related: slugOf(number + 1),
      text: [
        `${paragraph(6)} ${link()}`,
        '## С чего начать',
        paragraph(5),
        [...list, `- **${pick(people)}** ${pick(deeds)} остальное.`].join('\n'),
        '## Сколько это занимает',
        ['| Что | Минут | Когда |', '|---|---|---|', ...rows].join('\n'),
        `${paragraph(4)} ${link()}`,
        '### О чём забывают',
        `${paragraph(4)} *${sentence()}* ${link()}`,
        '',
      ].join('\n\n'),
    };
  });
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const words =
  'короб паллет этикетка поставка остаток возврат упаковка приёмка маршрут накладная кладовщик логист водитель ' +
  'продавец склад рейс ворота площадка смена проверяет считает отмечает готовит сверяет передаёт утром вечером снова';

export const slugOf = (number: number) => `zapis-${String(number).padStart(5, '0')}`;

/** About 4 KB each, the same in every run. */
export function writeArticles(content: string, count: number): void {
  const list = words.split(' ');
  for (let number = 0; number < count; number++) {
    const next = randomNumbers(number + 1);
    const some = (length: number) => Array.from({ length }, () => list[Math.floor(next() * list.length)]).join(' ');
    const paragraph = () => `${Array.from({ length: 5 }, () => `Запись: ${some(12)}.`).join(' ')}`;
    const link = `[Ещё запись](/blog/articles/${slugOf(Math.floor(next() * count))}).`;
    const [day, related] = [new Date(Date.UTC(2020, 0, 1 + (number % 2_000))), slugOf((number + 1) % count)];
    const text = [
      ...['---', `id: ${100_000 + number}`, `heading: Запись ${number}`, `title: Запись номер ${number}`],
      ...[`description: Запись о том, как ${some(8)}`, `summary: Коротко о том, как ${some(12)}`],
      ...['author: Анна Крылова, логист', `published: ${day.toISOString().slice(0, 10)}`],
      ...['related:', `  - ${related}`, '---', '', `${paragraph()} ${link}`, ''],
      ...['## С чего начать', '', paragraph(), '', ...Array.from({ length: 5 }, () => `- **${some(1)}** ${some(5)};`)],
      ...['', '## Сколько это занимает', '', '| Что | Минут |', '|---|---|'],
      ...Array.from({ length: 5 }, () => `| ${some(2)} | ${Math.floor(next() * 90)} |`),
      ...['', `${paragraph()} ${link}`, '', '### О чём забывают', '', `${paragraph()} *${some(6)}*`, ''],
    ];
    writeFileSync(join(content, 'blog/articles', `${slugOf(number)}.md`), text.join('\n'));
  }
}

/** A Lehmer generator (MINSTD), between 0 and 1. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 7_919) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

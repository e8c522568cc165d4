import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../src/lib/paths.ts';
import { startServer } from '../server-process.ts';
import { compare, type Figure, newContent, run, startOnce } from './harness.ts';

const count = 4_000;

export async function measureArticles(): Promise<Figure[]> {
  const content = newContent();
  for (let number = 0; number < count; number++) {
    writeFileSync(join(content, `blog/articles/zapis-${number}.md`), article(number));
  }
  const start = () => startServer([paths.main], { CONTENT_DIR: content }, '/blog/articles/zapis-0');
  return [
    await compare({
      name: `start to an article among ${count}`,
      unit: 'ms',
      limit: 6,
      rounds: 2,
      ours: () => startOnce(start),
      other: () => run([join(import.meta.dirname, 'bare.js'), 'read', content]),
    }),
  ];
}

function article(number: number): string {
  const paragraph = `Кладовщик проверяет короб ${number} и отмечает остаток в накладной до отправки. `.repeat(6);
  return `---
id: ${100_000 + number}
heading: Запись ${number}
title: Запись номер ${number}
description: Запись о том, как склад готовит поставку номер ${number} и что от вас нужно
summary: Коротко о том, как склад готовит поставку ${number}
author: Анна Крылова, логист
published: 2020-01-01
related:
  - zapis-${(number + 1) % count}
---

${paragraph}

## С чего начать

${paragraph} [Ещё запись](/blog/articles/zapis-${(number + 2) % count}).

- **Короб** взвешивают;
- **Этикетку** печатают.

## Сколько это занимает

| Что | Минут |
|---|---|
| Приёмка | ${number % 90} |

${paragraph}
`;
}

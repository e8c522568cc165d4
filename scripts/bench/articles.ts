import { ask } from '../../src/testing/ask.ts';
import { newContent, runToEnd, startServer } from '../server-process.ts';
import { type Figure, inTurns, median, ratio } from './figure.ts';
import { slugOf, writeArticles } from './generated-articles.ts';
import { bare, memoryOf } from './processes.ts';

/** `most` limits the ratio to bare Node. */
const sizes = [
  { count: 1_000, rounds: 2, most: 6 },
  { count: 4_000, rounds: 1, most: 6 },
];
/** Pages requested before memory is measured. */
const asked = 200;

export async function measureArticles(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { count, rounds, most } of sizes) {
    const content = newContent();
    writeArticles(content, count);
    const memory: number[] = [];
    const times = await inTurns(rounds, {
      bare: () => runToEnd([bare, 'read', content]),
      async ours() {
        await using server = await startServer(content, `/blog/articles/${slugOf(0)}`);
        for (let number = 0; number < count; number += count / asked) {
          const { status } = await ask(server.port, `/blog/articles/${slugOf(number)}`);
          if (status !== 200) throw new Error(`An article was answered with ${status}.`);
        }
        memory.push(memoryOf(server.pid));
        return server.started;
      },
    });
    const name = `${count.toLocaleString('en')} articles more`;
    figures.push(
      { what: `${name}: start to an article`, value: median(times.ours) / 1_000, unit: 's' },
      {
        what: `${name}: the same, over reading alone`,
        value: ratio(times.ours, times.bare),
        unit: '×',
        limit: { most },
      },
      { what: `${name}: memory while serving`, value: median(memory), unit: 'MB' },
    );
  }
  return figures;
}

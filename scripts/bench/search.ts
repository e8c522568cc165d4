import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { paths } from '../../src/lib/paths.ts';
import { bundle } from '../compile.ts';
import { alone, type Figure, median, percentile } from './figure.ts';
import { randomWords } from './random-words.ts';
import type { FirstSearches } from './search-server.ts';
import { type Peers, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const documents = 10_000;
const requests = 1000;
const limit = { at: 'most', value: 20 } as const;

/** Searches among ten thousand documents, from the query to its page: by themselves, and over HTTP. */
export async function measureSearch({ folder }: Peers): Promise<Figure[]> {
  const outdir = join(folder, 'search');
  await bundle([{ in: join(import.meta.dirname, 'search-server.ts'), out: 'search-server' }], outdir);
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}');
  const args = (port: number) => [
    join(outdir, 'search-server.js'),
    String(port),
    dirname(paths.code),
    String(documents),
  ];
  await using server = await start({ name: 'search', command: (port) => ({ args: args(port), env: {} }) });
  const ask = async <T>(path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return (await answer.json()) as T;
  };
  const first = await ask<FirstSearches>('/');
  const searches = await undisturbed(() => ask<number[]>('/searches'));
  const answers = await undisturbed(() => askAll(server.port));
  const nearest = await undisturbed(() => ask<number[]>('/nearest'));
  return [
    alone('search in 10,000 documents, p99', 'ms', percentile(searches, 0.99), limit),
    alone('the same over HTTP, p99', 'ms', percentile(answers, 0.99), limit),
    alone('nearest pages of 10,000, p99', 'ms', percentile(nearest, 0.99), limit),
    alone('search in 10,000 documents, median', 'ms', median(searches)),
    alone('first search in what ships', 'ms', first.shipped),
    alone('first search in 10,000 documents', 'ms', first.all),
  ];
}

const { query } = randomWords(['упаковка товара хранение доставка короба паллеты маркировка этикетка склад приёмка']);
let asked = 0;

/** Milliseconds of each request, one after another. */
async function askAll(port: number): Promise<number[]> {
  const times: number[] = [];
  for (let request = 0; request < requests; request++) {
    // The number keeps the answer from being one that was kept.
    asked += 1;
    const address = `http://127.0.0.1:${port}/search?q=${encodeURIComponent(`${query()} ${asked}`.slice(-100))}`;
    const begun = performance.now();
    const answer = await fetch(address, { headers: { 'accept-encoding': 'br' } });
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    if (!answer.ok) throw new Error(`A search was answered with ${answer.status}.`);
  }
  return times;
}

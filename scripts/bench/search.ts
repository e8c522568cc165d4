import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { paths } from '../../src/paths.ts';
import { bundle } from '../compile.ts';
import { alone, type Figure, median, percentile } from './figure.ts';
import { randomWords } from './random-words.ts';
import type { SearchFigures } from './search-server.ts';
import type { Peers } from './servers.ts';

const documents = 10_000;
const requests = 2000;
const limit = { at: 'most', value: 20 } as const;

/** Searches among ten thousand documents, from the query to its page: by themselves, and over HTTP. */
export async function measureSearch({ folder }: Peers): Promise<Figure[]> {
  const outdir = join(folder, 'search');
  await bundle([join(import.meta.dirname, 'search-server.ts')], outdir);
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}');
  const args = [join(outdir, 'search-server.js'), join(paths.code, '..'), String(documents)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { port, first, searches, nearest } = JSON.parse(line) as SearchFigures;
    const answers = await askAll(port);
    return [
      alone('search in 10,000 documents, p99', 'ms', percentile(searches, 0.99), limit),
      alone('the same over HTTP, p99', 'ms', percentile(answers, 0.99), limit),
      alone('search in 10,000 documents, median', 'ms', median(searches)),
      alone('nearest pages among 10,000, p99', 'ms', percentile(nearest, 0.99)),
      alone('first search in what ships', 'ms', first.shipped),
      alone('first search in 10,000 documents', 'ms', first.all),
    ];
  } finally {
    child.kill('SIGKILL');
  }
}

/** Milliseconds of each request, one after another. */
async function askAll(port: number): Promise<number[]> {
  const { query } = randomWords(['упаковка товара хранение доставка короба паллеты маркировка этикетка склад приёмка']);
  const times: number[] = [];
  for (let request = 0; request < requests; request++) {
    // The number keeps the answer from being one that was kept.
    const address = `http://127.0.0.1:${port}/search?q=${encodeURIComponent(`${query()} ${request}`.slice(-100))}`;
    const begun = performance.now();
    const answer = await fetch(address, { headers: { 'accept-encoding': 'br' } });
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    if (!answer.ok) throw new Error(`A search was answered with ${answer.status}.`);
  }
  return times;
}

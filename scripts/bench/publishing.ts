import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../src/lib/paths.ts';
import { ask } from '../../src/tests/support/ask.ts';
import { eventually } from '../../src/tests/support/eventually.ts';
import type { Server } from '../server-process.ts';
import { compare, type Figure, type FilledServer, run, startBare, startOnce, untilIdle, wrk } from './harness.ts';

/** Time from an edit until it is served, and what visitors wait meanwhile. */
export async function measurePublishing(server: FilledServer): Promise<Figure[]> {
  let round = 0;
  const edited = await compare({
    name: 'edit of a page, published and served',
    unit: 'ms',
    limit: 40,
    rounds: 3,
    async ours() {
      round += 1;
      return editPage(server, `Правка-${round}`);
    },
    other: () => startOnce(() => startBare('empty')),
  });

  const wait = async () => (await wrk(server.port, '/rates', { connections: 1, seconds: 5 })).wait;
  const waiting = await compare({
    name: 'wait for a page while every page changes',
    unit: 'ms',
    limit: 3,
    async ours() {
      // Every page shows the mail address.
      const file = join(server.content, 'company.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace('info@', 'hello@'));
      await publish(server);
      return wait();
    },
    async other() {
      await untilIdle(server);
      return wait();
    },
  });
  return [edited, waiting];
}

function publish({ env }: Server): Promise<number> {
  return run([paths.commands, 'publish'], env);
}

/** @returns milliseconds until the edit is served */
async function editPage(server: FilledServer, words: string): Promise<number> {
  const begun = performance.now();
  appendFileSync(join(server.content, 'pages/about.md'), `\n${words}.\n`);
  await publish(server);
  await eventually(async () => (await ask(server.port, '/about')).text.includes(words));
  return performance.now() - begun;
}

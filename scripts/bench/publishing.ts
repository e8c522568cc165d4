import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../../src/lib/paths.ts';
import { ask } from '../../src/testing/ask.ts';
import { eventually } from '../../src/testing/eventually.ts';
import { pagesOf, runToEnd, type Server } from '../server-process.ts';
import { type Figure, inTurns, median, percentile, ratio } from './figure.ts';
import { bareStart, filledServer, untilIdle } from './processes.ts';
import { startVisitors } from './visitors.ts';

const rounds = 5;
/** Milliseconds. */
const times = { idle: 5_000, filling: 14_000 };

export async function measurePublishing(): Promise<Figure[]> {
  const server = await filledServer();
  const serverParts: number[] = [];
  const { bare, ours } = await inTurns(rounds, {
    bare: bareStart,
    async ours(round) {
      const { all, serverPart } = await editPage(server, `Правка-${round}`);
      serverParts.push(serverPart);
      return all;
    },
  });

  await untilIdle(server.pid);
  using visitors = startVisitors(server.port, await pagesOf(server), false);
  await sleep(1_000);
  const before = await visitors.during(() => sleep(times.idle));
  const swapped = await visitors.during(() => editEveryPage(server));
  const after = await visitors.during(() => sleep(times.idle));
  const [idle, busy] = [percentile([...before.pages, ...after.pages], 0.99), percentile(swapped.pages, 0.99)];
  return [
    { what: 'edit of a page, published and served', value: median(ours), unit: 'ms' },
    { what: 'the same, over a start of bare Node', value: ratio(ours, bare), unit: '×', limit: { most: 37 } },
    { what: "the server's part of it", value: median(serverParts), unit: 'ms' },
    { what: 'wait for a page, idle, p99', value: idle, unit: 'ms' },
    { what: 'wait for a page while all are made anew, p99', value: busy, unit: 'ms' },
    { what: 'the same, over idle', value: busy / idle, unit: '×', limit: { most: 2 } },
  ];
}

const publish = ({ env }: Server) => runToEnd([paths.commands, 'publish'], env);

/** @returns milliseconds; `serverPart` starts when the list is replaced */
async function editPage(server: Server, words: string): Promise<{ all: number; serverPart: number }> {
  const { CONTENT_DIR = '', DATA_DIR = '' } = server.env;
  const begun = Date.now();
  appendFileSync(join(CONTENT_DIR, 'pages/about.md'), `\n${words}.\n`);
  const isServed = async () => (await ask(server.port, '/about')).text.includes(words);
  const [served] = await Promise.all([eventually(isServed, true, words).then(Date.now), publish(server)]);
  const list = join(paths.published(DATA_DIR), 'revisions.json');
  return { all: served - begun, serverPart: served - statSync(list).ctimeMs };
}

/** Every page shows the mail address. */
async function editEveryPage(server: Server): Promise<void> {
  const file = join(server.env.CONTENT_DIR ?? '', 'company.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('info@', 'hello@'));
  await publish(server);
  await sleep(times.filling);
}

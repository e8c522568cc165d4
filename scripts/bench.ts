import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureArticles } from './bench/articles.ts';
import { measureAttacks } from './bench/attacks.ts';
import { measureBackup } from './bench/backup.ts';
import { measureChanges } from './bench/changes.ts';
import { measureDev } from './bench/dev.ts';
import { measureDictionary } from './bench/dictionary.ts';
import { measureDrip } from './bench/drip.ts';
import { measureEditions } from './bench/editions.ts';
import { type Figure, figureTable, holds } from './bench/figure.ts';
import { measureFresh } from './bench/fresh.ts';
import { installed } from './bench/installed.ts';
import { measureInteraction } from './bench/interaction.ts';
import { measureKills } from './bench/kills.ts';
import { measureFsync, measureLeads } from './bench/leads.ts';
import { measureLighthouse } from './bench/lighthouse.ts';
import { measureMaking } from './bench/making.ts';
import { measureObservatory } from './bench/observatory.ts';
import { measureOutbox } from './bench/outbox.ts';
import { measurePages } from './bench/pages.ts';
import { measurePaint } from './bench/paint.ts';
import { measureProxy } from './bench/proxy.ts';
import { measureSearch } from './bench/search.ts';
import { makePeers, type Peers } from './bench/servers.ts';
import { measureStart } from './bench/start.ts';

// npm run bench                       everything, in about three minutes on a quiet machine
// npm run bench -- --only start       one part
// npm run bench -- --only lighthouse  what is in no other run: it fetches Lighthouse and takes some five minutes
// npm run bench -- --only observatory what MDN's HTTP Observatory says of the headers; it is fetched, too
// npm run bench -- --only articles    thousands of them, against Hugo; some fifteen minutes
// npm run bench -- --only changes     publishing and replacing processes under load
// npm run bench -- --only attacks     what visitors wait during attacks; some three minutes
// npm run bench -- --json FILE        the figures for a program, too
//
// What is built in dist/ is measured against bare Node, which does the same task in the same run.

const parts: Record<string, (peers: Peers) => Promise<Figure[]>> = {
  pages: measurePages,
  proxy: measureProxy,
  start: measureStart,
  leads: measureLeads,
  fsync: measureFsync,
  backup: measureBackup,
  outbox: measureOutbox,
  editions: measureEditions,
  making: measureMaking,
  fresh: measureFresh,
  dev: measureDev,
  dictionary: measureDictionary,
  drip: measureDrip,
  kills: measureKills,
  interaction: measureInteraction,
  search: measureSearch,
};

/** Parts that must be asked for. */
const partsByName: typeof parts = {
  lighthouse: measureLighthouse,
  observatory: measureObservatory,
  paint: measurePaint,
  articles: measureArticles,
  changes: measureChanges,
  attacks: measureAttacks,
};

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
  const all = { ...parts, ...partsByName };
  const chosen = Object.entries(values.only === undefined ? parts : all).filter(
    ([name]) => values.only === undefined || name === values.only,
  );
  if (chosen.length === 0) return fail(`There is no part "${values.only}"; there are: ${Object.keys(all).join(', ')}.`);
  if (process.platform !== 'linux') return fail('The figures are read from /proc, which only Linux has.');
  if (!installed('wrk', '-v')) {
    return fail(
      'wrk is missing, and nothing can be measured without a load; install it (Debian: apt-get install wrk).',
    );
  }

  const figures: Figure[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'korob-bench-'));
  // The workers of nginx are another user if root has started it.
  chmodSync(folder, 0o711);
  try {
    const peers = await makePeers(folder);
    for (const [name, measure] of chosen) {
      say(`Measuring: ${name}`);
      figures.push(...(await measure(peers)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${figureTable(figures)}`);
  if (values.json !== undefined) {
    const machine = { node: process.version, cpus: availableParallelism() };
    const judged = figures.map((figure) => ({ ...figure, holds: holds(figure) }));
    writeFileSync(values.json, `${JSON.stringify({ ...machine, figures: judged }, null, 2)}\n`);
  }
  const broken = figures.filter((figure) => !holds(figure));
  if (broken.length > 0) return fail(`Limits broken: ${broken.map(({ name }) => name).join(', ')}.`);
  return 0;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function fail(text: string): number {
  say(text);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = fail(Error.isError(error) ? error.message : String(error));
}

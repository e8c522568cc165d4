import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { measureArticles } from './bench/articles.ts';
import { measureAttacks } from './bench/attacks.ts';
import { type Figure, figureTable, holds } from './bench/figure.ts';
import { measureLeads } from './bench/leads.ts';
import { measurePages } from './bench/pages.ts';
import { measurePublishing } from './bench/publishing.ts';
import { measureStart } from './bench/start.ts';

// npm run bench                     all sections, about three minutes
// npm run bench -- --only attacks   one section
// npm run bench -- --json FILE      also writes the figures as JSON

const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  start: measureStart,
  pages: measurePages,
  publishing: measurePublishing,
  leads: measureLeads,
  attacks: measureAttacks,
  articles: measureArticles,
};

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
  const chosen = Object.entries(sections).filter(([name]) => [name, undefined].includes(values.only));
  if (chosen.length === 0) return fail(`There is no "${values.only}"; there are: ${Object.keys(sections).join(', ')}.`);
  if (process.platform !== 'linux') return fail('Figures are read from /proc, which only Linux has.');
  if (spawnSync('wrk', ['-v']).error) return fail('wrk is missing (Debian: apt-get install wrk).');

  const figures: (Figure & { section: string })[] = [];
  for (const [section, measure] of chosen) {
    process.stderr.write(`Measuring ${section}\n`);
    figures.push(...(await measure()).map((figure) => ({ section, ...figure })));
  }
  process.stdout.write(`\n${figureTable(figures)}`);
  if (values.json !== undefined) {
    const machine = { node: process.version, cpus: availableParallelism() };
    const judged = figures.map((figure) => ({ ...figure, holds: holds(figure) }));
    writeFileSync(values.json, `${JSON.stringify({ ...machine, figures: judged }, undefined, 2)}\n`);
  }
  const broken = figures.filter((figure) => !holds(figure)).length;
  return broken === 0 ? 0 : fail(`Limits broken: ${broken}.`);
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}

try {
  process.exit(await main());
} catch (error) {
  process.exit(fail(Error.isError(error) ? error.message : String(error)));
}

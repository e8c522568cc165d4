import { parseArgs } from 'node:util';
import { table } from '../src/lib/table.ts';
import { measureArticles } from './bench/articles.ts';
import { measureAttacks } from './bench/attacks.ts';
import { type Figure, type FilledServer, startFilledServer } from './bench/harness.ts';
import { measureLeads } from './bench/leads.ts';
import { measurePages } from './bench/pages.ts';
import { measurePublishing } from './bench/publishing.ts';
import { measureStart } from './bench/start.ts';

// npm run bench                     all sections, about three minutes
// npm run bench -- --only attacks   one section

const sections: Readonly<Record<string, (server: FilledServer) => Promise<Figure[]>>> = {
  start: measureStart,
  pages: measurePages,
  publishing: measurePublishing,
  leads: measureLeads,
  attacks: measureAttacks,
  articles: measureArticles,
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const chosen = Object.entries(sections).filter(([section]) => [section, undefined].includes(only));
if (chosen.length === 0) throw new Error(`There is no "${only}"; there are: ${Object.keys(sections).join(', ')}.`);

await using server = await startFilledServer();
const rows = [['section', 'what', 'value', 'ratio', 'limit']];
for (const [section, measure] of chosen) {
  process.stderr.write(`Measuring ${section}\n`);
  for (const { name, unit, value, ratio, limit } of await measure(server)) {
    const isKept = ratio <= limit;
    if (!isKept) process.exitCode = 1;
    rows.push([section, name, `${digits(value)} ${unit}`, digits(ratio), `${limit}${isKept ? '' : ' BROKEN'}`]);
  }
}
process.stdout.write(`\n${table(rows)}`);

function digits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

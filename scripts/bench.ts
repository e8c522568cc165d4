import { parseArgs } from 'node:util';
import { measureArticles } from './bench/articles.ts';
import { measureAttacks } from './bench/attacks.ts';
import { type Figure, type FilledServer, startFilledServer } from './bench/harness.ts';
import { measureLeads } from './bench/leads.ts';
import { measurePages } from './bench/pages.ts';
import { measurePaint } from './bench/paint.ts';
import { measurePublishing } from './bench/publishing.ts';
import { measureSoak } from './bench/soak.ts';
import { measureStart } from './bench/start.ts';

// npm run bench                     all sections, about seven minutes
// npm run bench -- --only attacks   one section

const sections: Readonly<Record<string, (server: FilledServer) => Promise<Figure[]>>> = {
  start: measureStart,
  pages: measurePages,
  paint: measurePaint,
  publishing: measurePublishing,
  leads: measureLeads,
  attacks: measureAttacks,
  articles: measureArticles,
  soak: measureSoak,
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const chosen = Object.entries(sections).filter(([section]) => [section, undefined].includes(only));
if (chosen.length === 0) throw new Error(`There is no "${only}"; there are: ${Object.keys(sections).join(', ')}.`);

await using server = await startFilledServer();
const rows: Record<string, string>[] = [];
for (const [section, measure] of chosen) {
  process.stderr.write(`Measuring ${section}\n`);
  for (const { name: what, unit, value, ratio, limit } of await measure(server)) {
    const isKept = ratio <= limit;
    if (!isKept) process.exitCode = 1;
    const verdict = isKept ? '' : ' BROKEN';
    rows.push({ section, what, value: `${digits(value)} ${unit}`, ratio: digits(ratio), limit: `${limit}${verdict}` });
  }
}
console.table(rows);

function digits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

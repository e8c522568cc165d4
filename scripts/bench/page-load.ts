import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { steadily } from './steady.ts';
import { visit } from './visitor.ts';

// page-load --port N --rate N --paths FILE
//
// Asks for the pages of a list, over and over, at so many requests a second, until it is told to end (SIGTERM). Prints
// one PageLoad as JSON.

/** Milliseconds of each request from when it was due, and what was not answered with 200. */
export type PageLoad = { waits: number[]; refused: string[] };

const { values } = parseArgs({
  options: { port: { type: 'string' }, rate: { type: 'string' }, paths: { type: 'string' } },
});
const paths: string[] = JSON.parse(readFileSync(values.paths ?? '', 'utf8'));
const agent = new Agent({ keepAlive: true });
const refused = new Set<string>();
const stop = steadily(Number(values.rate), async (number) => {
  const path = paths[number % paths.length] ?? '/';
  const { status } = await visit(Number(values.port), path, { agent });
  if (status !== 200) refused.add(`${path}: ${status}`);
});
process.on('SIGTERM', async () => {
  const waits = await stop();
  agent.destroy();
  const result: PageLoad = { waits, refused: [...refused] };
  process.stdout.write(JSON.stringify(result));
});

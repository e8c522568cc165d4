import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCode } from '../src/edition/code.ts';
import { codeId, compile } from './compile.ts';

// npm run build              compile, and make the edition that ships, in dist/
// npm run build -- --stale   compile only if a source has changed since the last time
// npm run build -- --compile compile alone: a server makes its edition when it starts

const dist = join(import.meta.dirname, '..', 'dist');
const { values } = parseArgs({
  options: { stale: { type: 'boolean', default: false }, compile: { type: 'boolean', default: false } },
});

function compiled(): string | undefined {
  try {
    return readCode(join(dist, 'code.json')).id;
  } catch {
    return undefined;
  }
}

if (!values.stale || compiled() !== codeId()) {
  const started = performance.now();
  await compile();
  process.stderr.write(`Compiled in ${Math.round(performance.now() - started)} ms.\n`);
}
if (!values.compile) {
  const ship = [join(dist, 'cli.js'), 'ship', join(dist, 'editions.sqlite')];
  const { status } = spawnSync(process.execPath, ship, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

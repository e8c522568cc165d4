import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCode } from '../src/edition/inputs.ts';
import { codeId, compile } from './compile.ts';

// npm run build            compile, and prerender into dist/
// npm run build -- --stale compile only if a source has changed since the last time
// npm run build -- --preview  show drafts and posts whose day has not come

const dist = join(import.meta.dirname, '..', 'dist');
const { values } = parseArgs({
  options: { stale: { type: 'boolean', default: false }, preview: { type: 'boolean', default: false } },
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
const prerender = [join(dist, 'cli.js'), 'prerender', '--out', join(dist, 'editions')];
const { status } = spawnSync(process.execPath, [...prerender, ...(values.preview ? ['--preview'] : [])], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

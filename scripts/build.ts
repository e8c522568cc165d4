import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCode } from '../src/edition/code.ts';
import { codeId, compile } from './compile.ts';
import { compileEditor } from './editor.ts';

// npm run build              compile, and make the edition that ships, in dist/
// npm run build -- --stale   compile only if a source has changed since the last time
// npm run build -- --compile compile alone: a server makes its edition when it starts
//
// The editor in the browser takes a third of that time: alone, it comes only with CMS_REPOSITORY.

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
const editor = join(dist, 'editor');
if ((!values.compile || process.env.CMS_REPOSITORY) && !existsSync(editor)) {
  await compileEditor(`${editor}-new`);
  renameSync(`${editor}-new`, editor);
}
if (!values.compile) {
  const ship = [join(dist, 'cli.js'), 'ship', join(dist, 'editions.sqlite')];
  const { status } = spawnSync(process.execPath, ship, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

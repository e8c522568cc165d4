import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCode } from '../src/site/code.ts';
import { codeId, compile } from './compile.ts';
import { compileEditor } from './editor.ts';

// npm run build              compiles, and encodes the shipped pictures, into dist/
// npm run build -- --stale   compiles only if a source has changed
// npm run build -- --compile without pictures, which a server encodes itself
//
// The editor takes a third of the time, so --compile leaves it out unless CMS_REPOSITORY is set.

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
  const pictures = [join(dist, 'cli.js'), 'pictures', join(dist, 'pictures')];
  const { status } = spawnSync(process.execPath, pictures, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCode } from '../src/site/code.ts';
import { codeId, compile } from './compile.ts';
import { compileEditor } from './editor.ts';

// npm run build              compile, and encode the pictures of the content that ships, into dist/
// npm run build -- --stale   compile only if a source has changed since the last time
// npm run build -- --compile compile alone: a server has the pictures encoded that it misses
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
  const pictures = [join(dist, 'cli.js'), 'pictures', join(dist, 'pictures')];
  const { status } = spawnSync(process.execPath, pictures, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { paths } from '../src/lib/paths.ts';
import { compile, compileIfStale } from './compile.ts';

// npm run build              compiles, and encodes the shipped pictures, into dist/
// npm run build -- --stale   compiles only if a source has changed
// npm run build -- --compile without pictures, which a server encodes itself

const { values } = parseArgs({
  options: { stale: { type: 'boolean', default: false }, compile: { type: 'boolean', default: false } },
});

await (values.stale ? compileIfStale() : compile());
if (!values.compile) {
  const pictures = [paths.commands, 'pictures', join(import.meta.dirname, '../dist/pictures')];
  const { status } = spawnSync(process.execPath, pictures, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

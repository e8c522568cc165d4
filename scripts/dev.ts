import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';

// npm run dev: builds, serves, and does both again on every change of code or content.
// What does not build is reported, and the last good server goes on.

const root = join(import.meta.dirname, '..');
/** Milliseconds in which several saved files count as one change. */
const settle = 150;

let server: ChildProcess | undefined;
let building = false;
let changed = false;

function run(...args: string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
}

async function rebuild(): Promise<void> {
  if (building) return;
  building = true;
  do {
    changed = false;
    const [code] = await once(run('scripts/build.ts', '--stale'), 'exit');
    if (code !== 0) continue;
    if (server?.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    server = run('dist/main.js');
  } while (changed);
  building = false;
}

function onChange(): void {
  changed = true;
  setTimeout(rebuild, settle);
}

for (const folder of ['src', 'views', 'public']) watch(join(root, folder), { recursive: true }, onChange);
process.on('SIGINT', () => server?.kill());
process.on('SIGTERM', () => {
  server?.kill();
  process.exit();
});
onChange();

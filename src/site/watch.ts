import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Repetition, repeatedly } from '../lib/repeatedly.ts';

/** Milliseconds without a change after which an editor has finished. */
const quiet = 300;
/** Milliseconds between looks where the file system sends no word of changes, as many that are mounted do not. */
const lookInterval = 3_000;

/** Watches a folder. @param onChange told when something in it has changed and then nothing for 300 ms */
export function watchFolder(dir: string, onChange: () => void): Repetition {
  let seen: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(onChange, quiet);
  }

  try {
    watcher = watch(dir, { recursive: true }, changed).on('error', () => watcher?.close());
  } catch {
    // Looking again and again is enough.
  }
  const looking = repeatedly(async () => {
    const before = seen;
    seen = await stateOf(dir);
    if (before !== undefined && before !== seen) changed();
  }, lookInterval);
  return {
    again: looking.again,
    async stop() {
      clearTimeout(timer);
      watcher?.close();
      await looking.stop();
    },
  };
}

/** Differs as soon as a file has come, gone or been written; a folder that cannot be read is a state, too. */
export async function stateOf(dir: string): Promise<string> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const states = await Promise.all(
      files.map(async (file) => {
        const { mtimeMs, size, ino } = await stat(file);
        return `${file} ${mtimeMs} ${size} ${ino}`;
      }),
    );
    return states.join('\n');
  } catch (error) {
    return String(error);
  }
}

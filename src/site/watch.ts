import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Repetition, repeatedly } from '../lib/repeatedly.ts';

/** Debounce in milliseconds. */
const quiet = 300;
/** Milliseconds between polls, for file systems without events, such as many mounts. */
const lookInterval = 3_000;

/** @param onChange called 300 ms after the last change */
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
    // Polling is enough.
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

/** An unreadable folder is a state, too. */
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

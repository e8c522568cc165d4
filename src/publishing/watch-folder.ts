import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Polls, because many mounts report no changes.
 *
 * @param quietLooks calls in a row that must see no further change
 * @returns whether the folder has changed and is quiet; true once for each change
 */
export function changesIn(dir: string, quietLooks: number): () => Promise<boolean> {
  const initial = stateOf(dir);
  let reported: string | undefined;
  let last: string | undefined;
  let quiet = 0;
  return async () => {
    reported ??= await initial;
    const state = await stateOf(dir);
    quiet = state === last ? quiet + 1 : 0;
    last = state;
    if (quiet < quietLooks || state === reported) return false;
    reported = state;
    return true;
  };
}

/** An unreadable folder is a state, too. */
async function stateOf(dir: string): Promise<string> {
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

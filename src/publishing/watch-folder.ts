import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Polls, because many mounts report no changes. @returns whether the folder changed and is the same as at the last call
 */
export function changesIn(dir: string): () => Promise<boolean> {
  const initial = stateOf(dir);
  let settled: string | undefined;
  let last: string | undefined;
  return async () => {
    settled ??= await initial;
    const state = await stateOf(dir);
    const changed = state === last && state !== settled;
    if (changed) settled = state;
    last = state;
    return changed;
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

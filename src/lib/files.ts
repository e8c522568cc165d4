import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder, with the folder before its name, in an order that is the same on every machine. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

// node scripts/native.ts DIR: copies native packages and their dependencies, which cannot be bundled.

const root = join(import.meta.dirname, '..');
const native = ['sharp'];

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** Optional dependencies for other platforms are not installed. */
function needed(name: string, from: string, found: Set<string>): Set<string> {
  const folder = [join(from, 'node_modules', name), join(root, 'node_modules', name)].find((dir) => existsSync(dir));
  if (folder === undefined || found.has(folder)) return found;
  found.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  for (const other of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    needed(other, folder, found);
  }
  return found;
}

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Say where to: node scripts/native.ts DIR');
for (const name of native) {
  const folders = needed(name, root, new Set());
  if (folders.size === 0) throw new Error(`${name} is not installed; run npm ci.`);
  for (const folder of folders) cpSync(folder, resolve(target, relative(root, folder)), { recursive: true });
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncTransformer } from '@jest/transform';
import { type Loader, transformSync } from 'esbuild';
import { templateModule } from './templates.ts';

// Same loaders as in scripts/compile.ts.
const loaders: Record<string, Loader> = { ts: 'ts', tsx: 'tsx', css: 'empty', svg: 'text' };

/** Invalidates Jest's cache when the transform changes. */
const ways = ['jest-transform.ts', 'templates.ts'].map((file) => readFileSync(join(import.meta.dirname, file)));

const transformer: SyncTransformer = {
  getCacheKey(source, path) {
    const hash = createHash('sha256');
    for (const part of [...ways, path, source]) hash.update(part).update('\0');
    return hash.digest('hex');
  },
  process(source, path) {
    const loader = loaders[path.slice(path.lastIndexOf('.') + 1)] ?? 'js';
    return transformSync(path.endsWith('.njk') ? templateModule(source, path) : source, {
      loader,
      format: 'esm',
      target: 'node26',
      jsx: 'automatic',
      sourcefile: path,
      sourcemap: 'inline',
    });
  },
};

export default transformer;

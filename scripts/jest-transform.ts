import type { SyncTransformer } from '@jest/transform';
import { type Loader, transformSync } from 'esbuild';

// The same reading of each kind of file as in scripts/compile.ts, so that tests run what production runs.
const loaders: Record<string, Loader> = { ts: 'ts', tsx: 'tsx', njk: 'text', css: 'empty' };

const transformer: SyncTransformer = {
  process(source, path) {
    const loader = loaders[path.slice(path.lastIndexOf('.') + 1)] ?? 'js';
    return transformSync(source, {
      loader,
      format: 'esm',
      target: 'node24',
      jsx: 'automatic',
      sourcefile: path,
      sourcemap: 'inline',
    });
  },
};

export default transformer;

import type { SyncTransformer } from '@jest/transform';
import { type Loader, transformSync } from 'esbuild';
import { templateModule } from './templates.ts';

// The same reading of each kind of file as in scripts/compile.ts, so that tests run what production runs.
const loaders: Record<string, Loader> = { ts: 'ts', tsx: 'tsx', css: 'empty' };

const transformer: SyncTransformer = {
  process(source, path) {
    const loader = loaders[path.slice(path.lastIndexOf('.') + 1)] ?? 'js';
    return transformSync(path.endsWith('.njk') ? templateModule(source, path) : source, {
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

import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const assets = join(root, 'node_modules/@sveltia/cms/npm/assets');

/** Packages of field types that the editor's forms do not use. They are not installed. */
const unused = ['@shikijs/*', 'leaflet/*', 'svgo/*', 'terra-draw', 'terra-draw-leaflet-adapter'];

/**
 * Bundles the editor as published, so that it loads nothing from another host.
 *
 * @param outdir gets gzipped scripts under hashed names, and the fonts
 */
export async function compileEditor(outdir: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: "import editor from '@sveltia/cms';\neditor.init();", resolveDir: root },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    outdir,
    entryNames: 'editor-[hash]',
    chunkNames: '[name]-[hash]',
    external: unused,
    write: false,
    logLevel: 'warning',
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, contents } of outputFiles) {
    const packed = gzipSync(contents, { level: constants.Z_BEST_COMPRESSION });
    writeFileSync(join(outdir, `${basename(path)}.gz`), packed);
  }
  for (const file of globSync('*.{woff2,txt}', { cwd: assets })) {
    cpSync(join(assets, file), join(outdir, 'assets', file));
  }
}

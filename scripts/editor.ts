import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');
const cms = join(root, 'node_modules/@sveltia/cms/npm/index.js');
const assets = join(dirname(cms), 'assets');
const fonts = globSync('*.woff2', { cwd: assets });

/** Not needed by our fields: maps, code highlighting, other languages and formats. */
const unused = /^(@shikijs\/|leaflet|terra-draw|svgo)|\/locales\/(?!ru\.json)|\/chunks\/(heic|webp_enc|shiki)/;

/** Local copies of third-party files; the check for updates fails silently. */
const ownPlaces: readonly [RegExp, (...found: string[]) => string][] = [
  [/https:\/\/unpkg\.com/g, () => '/admin'],
  [
    /https:\/\/cdn\.jsdelivr\.net\/fontsource\/fonts\/([\w-]+)(?::vf)?@[\d.]+\/([\w-]+)\.woff2/g,
    (_, name, subset) => `/admin/assets/${fonts.find((font) => font.startsWith(`${name}-${subset}-`))}`,
  ],
];

const onlyFromHere: Plugin = {
  name: 'only-from-here',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      return kind === 'dynamic-import' && unused.test(path) ? { path: 'unused', namespace: 'unused' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'export {};' }));
    onLoad({ filter: /@sveltia\/cms\/npm\/index\.js$/ }, ({ path }) => {
      const contents = ownPlaces.reduce(
        (text, [from, to]) => {
          if (!text.match(from)) throw new Error(`Sveltia CMS loads nothing from ${from.source} any more.`);
          return text.replaceAll(from, to);
        },
        readFileSync(path, 'utf8'),
      );
      return { contents };
    });
  },
};

/** Pre-compressed with gzip, under hashed names. */
export async function compileEditor(outdir: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: `import CMS from ${JSON.stringify(cms)};\nCMS.init();`, resolveDir: root },
    entryNames: 'editor-[hash]',
    chunkNames: 'chunk-[hash]',
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    plugins: [onlyFromHere],
    logLevel: 'error',
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }));
  }
  for (const font of fonts) cpSync(join(assets, font), join(outdir, 'assets', font));
}

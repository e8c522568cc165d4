import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { hashOf } from '../src/lib/hash.ts';

const packages = join(import.meta.dirname, '../node_modules');
const cms = join(packages, '@sveltia/cms');
const fonts = globSync('*.woff2', { cwd: join(cms, 'npm/assets') });

/** Loaded later for the field types in use. */
const modules = {
  exifr: 'dist/lite.esm.mjs',
  immutable: 'dist/immutable.es.js',
  turndown: 'lib/turndown.browser.es.js',
};

/**
 * Everything must load from `/admin`.
 *
 * @param outdir gets the gzipped script under a hashed name
 */
export function copyEditor(outdir: string): void {
  const fontUrl = /https:\/\/cdn\.jsdelivr\.net\/fontsource\/fonts\/([\w-]+)(?::vf)?@[\d.]+\/([\w-]+)\.woff2/g;
  const script = readFileSync(join(cms, 'dist/sveltia-cms.js'), 'utf8')
    .replace(/\n\/\/# sourceMappingURL=.*/, '')
    .replaceAll('https://unpkg.com', '/admin')
    .replaceAll(fontUrl, (_, family: string, subset: string) => {
      return `/admin/assets/${fonts.find((font) => font.startsWith(`${family}-${subset}-`))}`;
    });
  mkdirSync(outdir, { recursive: true });
  const packed = gzipSync(script, { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(join(outdir, `editor-${hashOf(script).slice(0, 8)}.js.gz`), packed);
  for (const font of fonts) cpSync(join(cms, 'npm/assets', font), join(outdir, 'assets', font));

  const { version, dependencies } = JSON.parse(readFileSync(join(cms, 'package.json'), 'utf8'));
  // Keeps it from finding a newer version.
  cpSync(join(cms, 'package.json'), join(outdir, '@sveltia/cms/package.json'));
  cpSync(join(cms, 'locales/ru.json'), join(outdir, `@sveltia/cms@${version}/locales/ru.json`));
  for (const [name, file] of Object.entries(modules)) {
    cpSync(join(packages, name, file), join(outdir, `${name}@${dependencies[name].replace('^', '')}`, file));
  }
}

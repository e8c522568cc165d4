import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { hashOf } from '../src/lib/hash.ts';

const cms = join(import.meta.dirname, '../node_modules/@sveltia/cms');

/**
 * Copies Sveltia CMS as it is published, so that all it loads comes from `/admin`. It asks for updates in vain.
 *
 * @param outdir gets the script compressed by gzip, under a hashed name
 */
export function copyEditor(outdir: string): void {
  const { version } = JSON.parse(readFileSync(join(cms, 'package.json'), 'utf8'));
  const fonts = globSync('*.woff2', { cwd: join(cms, 'npm/assets') });
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
  cpSync(join(cms, 'locales/ru.json'), join(outdir, `@sveltia/cms@${version}/locales/ru.json`));
}

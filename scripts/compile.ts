import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { wideMedia } from '../src/document/wide-media.ts';
import { filesBelow } from '../src/lib/files.ts';
import { hashOf } from '../src/lib/hash.ts';
import { readAssets } from '../src/reading/assets.ts';
import type { Code } from '../src/site/code.ts';
import { cutFonts } from './share-fonts.ts';
import { templateModule } from './templates.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const src = join(root, 'src');

/** An Android WebView of 2020 is the oldest with styled pages. */
const browsers = ['chrome83', 'safari15'];

/** @param except matches relative paths */
export function hashFolder(dir: string, except?: RegExp): string {
  const hash = createHash('sha256');
  for (const path of filesBelow(dir)) {
    const name = path.slice(dir.length);
    if (!except?.test(name)) hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** Content has its own hash; no program loads the rest. */
const noSource = /^\/(content|testing|browser-tests|faults)\/|\.test\.tsx?$|\/testing\.ts$|\.webp$|^\/README\.md$/;

export function codeId(): string {
  const hash = createHash('sha256');
  for (const folder of ['views', 'public', 'src']) hash.update(hashFolder(join(root, folder), noSource));
  for (const file of [
    'package-lock.json',
    'scripts/compile.ts',
    'scripts/editor.ts',
    'scripts/entry.js',
    'scripts/share-fonts.ts',
    'scripts/templates.ts',
  ]) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

export async function compile(): Promise<void> {
  // Hashed chunks would pile up.
  for (const old of globSync(join(dist, '{*.js,compiled,editor*}'))) rmSync(old, { recursive: true });
  await compilePrograms();
  await cutFonts(dist);
  const code: Code = { id: codeId(), styles: await compileStyles(), scripts: await compileScripts() };
  // Last: it marks a complete build.
  writeFileSync(join(dist, 'code.json'), JSON.stringify(code));
}

export async function bundle(entryPoints: { in: string; out: string }[], outdir: string): Promise<void> {
  await build({ ...forNode, entryPoints, outdir, splitting: true });
}

const programs = ['main', 'cli'];

/** Entries run on any Node, to report an old version. */
async function compilePrograms(): Promise<void> {
  for (const name of programs) {
    // Shared code would become some forty chunks.
    await bundle([{ in: join(root, `src/${name}.ts`), out: `${name}-program` }], dist);
  }
  writeEntries();
}

export function writeEntries(): void {
  const entry = readFileSync(join(root, 'scripts/entry.js'), 'utf8');
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = engines.node.replace('>=', '');
  for (const name of programs) {
    const text = entry.replaceAll('NEEDED', needed).replace('PROGRAM', `${name}-program.js`);
    writeFileSync(join(dist, `${name}.js`), text);
  }
}

const templates: Plugin = {
  name: 'templates',
  setup({ onLoad }) {
    onLoad({ filter: /\.njk$/ }, ({ path }) => ({ contents: templateModule(readFileSync(path, 'utf8'), path) }));
  },
};

export const forNode = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  loader: { '.css': 'empty' },
  // Without the streaming renderer.
  alias: {
    'react-dom/server': join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js'),
  },
  plugins: [templates],
  define: { 'process.env.NODE_ENV': '"production"' },
  // chokidar only watches templates; sharp is native.
  external: ['chokidar', 'sharp'],
  minifySyntax: true,
  minifyWhitespace: true,
  // Readable positions in stack traces.
  lineLimit: 120,
  // CommonJS packages `require` built-in modules.
  banner: {
    js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** The entry comes first. */
export async function compileScripts(): Promise<Code['scripts']> {
  const clientDir = join(root, 'src/client');
  const compiled = new Map<string, Promise<Script>>();
  const compileOnce = (file: string): Promise<Script> => {
    const known = compiled.get(file) ?? compileScript(file, compileOnce);
    compiled.set(file, known);
    return known;
  };
  const entry = await compileOnce(join(clientDir, 'site.ts'));
  const others = (await Promise.all(compiled.values())).filter((script) => script !== entry);
  return [entry, ...others.sort((a, b) => a.path.localeCompare(b.path))];
}

type Script = Code['scripts'][number];

/** As text, for constructable style sheets. */
const adoptedStyles: Plugin = {
  name: 'adopted-styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true, target: browsers });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

/** Pages load only the modules they use. */
async function compileScript(file: string, other: (file: string) => Promise<Script>): Promise<Script> {
  const laterModules: Plugin = {
    name: 'later-modules',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        return { path: (await other(join(resolveDir, path))).path, external: true };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [file],
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    target: browsers,
    plugins: [laterModules, adoptedStyles],
    logLevel: 'warning',
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = hashOf(text).slice(0, 8);
  return { path: `/assets/${basename(file, '.ts')}.${hash}.js`, text };
}

/** Replaces paths in `url()` by hashed ones. */
const publicFiles: Plugin = {
  name: 'public-files',
  setup({ onResolve }) {
    const assets = readAssets(join(root, 'public'));
    onResolve({ filter: /^\// }, ({ path, kind }) => {
      if (kind !== 'url-token') return undefined;
      const asset = assets.get(path);
      if (asset === undefined) return { errors: [{ text: `public${path} is missing; a style sheet needs it.` }] };
      return { path: asset.href, external: true };
    });
  },
};

/** Rules for wide windows and print go into one shared file, to keep pages small for phones. */
export async function compileStyles(): Promise<Code['styles']> {
  const pages = globSync('**/*.page.tsx', { cwd: src }).sort();
  const sheetOf: Plugin = {
    name: 'sheet-of',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^styles-of:/ }, ({ path }) => ({
        path: path.slice('styles-of:'.length),
        namespace: 'styles',
      }));
      onLoad({ filter: /.*/, namespace: 'styles' }, ({ path }) => ({
        contents: ['design/layout/layout.tsx', ...path.split(',')].map((part) => `import './${part}';`).join('\n'),
        resolveDir: src,
      }));
    },
  };
  const every = 'every-page';
  const result = await build({
    entryPoints: [
      ...pages.map((page) => ({ in: `styles-of:${page}`, out: basename(page, '.page.tsx') })),
      { in: `styles-of:${pages.join()}`, out: every },
    ],
    outdir: dist,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    // Writes shared rules once.
    splitting: true,
    packages: 'external',
    target: browsers,
    jsx: 'automatic',
    // Pages of the desk reach the templates of mail, which have no styles.
    loader: { '.njk': 'empty' },
    plugins: [sheetOf, publicFiles],
    logLevel: 'warning',
  });
  const css = result.outputFiles
    .filter(({ path }) => path.endsWith('.css'))
    .map(({ path, text }) => [basename(path, '.css'), rulesOf(text.trim())] as const);
  const cut = (wide: boolean, rules: readonly string[]) => rules.filter((rule) => isWide(rule) === wide).join('');
  const text = cut(true, css.find(([name]) => name === every)?.[1] ?? []);
  const hash = hashOf(text).slice(0, 8);
  return {
    pages: Object.fromEntries(
      css.flatMap(([name, rules]) => (name === every ? [] : [[name, cut(false, rules)]])).sort(),
    ),
    wide: { path: `/styles/wide.${hash}.css`, text },
  };
}

/** Keeps at-rules whole. */
function rulesOf(css: string): string[] {
  const rules: string[] = [];
  let [begin, depth] = [0, 0];
  for (let at = 0; at < css.length; at++) {
    if (css[at] === '{') depth += 1;
    if (css[at] === '}') depth -= 1;
    if (depth > 0 || !/[};]/.test(css[at] ?? '')) continue;
    rules.push(css.slice(begin, at + 1));
    begin = at + 1;
  }
  return rules;
}

/** In em. */
const wideFrom = Number(/min-width: (\d+)em/.exec(wideMedia)?.[1]);

function isWide(rule: string): boolean {
  const [, query] = /^(?:@supports[^{]*\{)?@media([^{]*)/.exec(rule) ?? [];
  if (query === undefined) return false;
  return query.split(',').every((one) => {
    return /\bprint\b|forced-colors/.test(one) || Number(/min-width: ?([\d.]+)em/.exec(one)?.[1] ?? 0) >= wideFrom;
  });
}

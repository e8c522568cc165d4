import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { Code } from '../src/edition/code.ts';
import { filesBelow } from '../src/lib/files.ts';
import { readAssets } from '../src/reading/assets.ts';
import { cutFonts } from './share-fonts.ts';
import { templateModule } from './templates.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const src = join(root, 'src');

/** Browsers that are compiled for: an Android WebView of 2020 is the oldest that must show a designed page. */
const browsers = ['chrome83', 'safari15'];

/** Hash of every file in a folder, by name and bytes. @param except what is left out, by its name from the folder on */
export function hashFolder(dir: string, except?: RegExp): string {
  const hash = createHash('sha256');
  for (const path of filesBelow(dir)) {
    const name = path.slice(dir.length);
    if (!except?.test(name)) hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** Content, which an edition accounts for by itself, and tests and what is only read, which no program loads. */
const noSource =
  /^\/(content|testing|browser-tests|faults)\/|\.test\.tsx?$|\/testing\.ts$|^\/(README\.md|company\/home\.webp)$/;

/** Hash of all that `compile` reads. */
export function codeId(): string {
  const hash = createHash('sha256');
  for (const folder of ['views', 'public', 'src']) hash.update(hashFolder(join(root, folder), noSource));
  for (const file of [
    'package-lock.json',
    'scripts/compile.ts',
    'scripts/entry.js',
    'scripts/share-fonts.ts',
    'scripts/templates.ts',
    'scripts/utf8-only.cjs',
  ]) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Compiles the server, the operator's commands and the stylesheet of every page into `dist/`. */
export async function compile(): Promise<void> {
  // Names of chunks carry their hash, so those of earlier builds would pile up.
  for (const old of globSync(join(dist, '{*.js,compiled}'))) rmSync(old, { recursive: true });
  await compilePrograms();
  const code: Code = { id: codeId(), styles: await compileStyles(), scripts: await compileScripts() };
  writeFileSync(join(dist, 'code.json'), JSON.stringify(code));
  await cutFonts(dist);
}

/** Bundles programs for Node, with all that they import. */
export async function bundle(entryPoints: { in: string; out: string }[], outdir: string): Promise<void> {
  await build({ ...forNode, entryPoints, outdir, splitting: true });
}

/** The server and the operator's commands, each behind an entry that any Node understands. */
async function compilePrograms(): Promise<void> {
  const names = ['main', 'cli'];
  for (const name of names) {
    // What the two share is in both: as files of its own, it would come in forty that have to be found one by one.
    await bundle([{ in: join(root, `src/${name}.ts`), out: `${name}-program` }], dist);
  }
  const entry = readFileSync(join(root, 'scripts/entry.js'), 'utf8');
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = engines.node.replace('>=', '');
  for (const name of names) {
    const text = entry.replaceAll('NEEDED', needed).replace('PROGRAM', `${name}-program.js`);
    writeFileSync(join(dist, `${name}.js`), text);
  }
}

/**
 * Node's own modules, of which an `import` takes what it names. Node itself reads every export then, lazy ones too, and
 * `node:http` alone loads a whole client that a server never uses.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_]+(\/[a-z]+)*$/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || !isBuiltin(path)) return undefined;
      const namespace = kind === 'require-call' ? 'required-builtin' : 'imported-builtin';
      return { path: path.startsWith('node:') ? path : `node:${path}`, namespace };
    });
    const found = (path: string) => `process.getBuiltinModule(${JSON.stringify(path)})`;
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = ${found(path)};`,
    }));
    onLoad({ filter: /.*/, namespace: 'imported-builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== 'default');
      const exported = names.map(
        (name) => `const $${name} = /* @__PURE__ */ (() => it.${name})(); export { $${name} as ${name} };`,
      );
      return { contents: `const it = ${found(path)}; export default it;\n${exported.join('\n')}` };
    });
  },
};

const templates: Plugin = {
  name: 'templates',
  setup({ onLoad }) {
    onLoad({ filter: /\.njk$/ }, ({ path }) => ({ contents: templateModule(readFileSync(path, 'utf8'), path) }));
  },
};

/** What is rendered on demand, and what forms come as; of all other types, an edition knows its own. */
const mediaTypes = ['text/html', 'text/plain', 'application/json', 'application/x-www-form-urlencoded'];

/** Express brings a list of 2,500 types, and goes through all of them twice at each start: a tenth of its time. */
const fewMediaTypes: Plugin = {
  name: 'few-media-types',
  setup({ onLoad }) {
    onLoad({ filter: /\/mime-db\/db\.json$/ }, ({ path }) => {
      const all: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
      return {
        contents: JSON.stringify(Object.fromEntries(mediaTypes.map((type) => [type, all[type]]))),
        loader: 'json',
      };
    });
  },
};

/** How programs for Node are bundled. */
export const forNode = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  loader: { '.css': 'empty' },
  // Pages are rendered whole; what the module has for streams would only be loaded.
  alias: {
    'react-dom/server': join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js'),
    'iconv-lite': join(root, 'scripts/utf8-only.cjs'),
  },
  plugins: [plainBuiltins, templates, fewMediaTypes],
  define: { 'process.env.NODE_ENV': '"production"' },
  // The first watches templates for changes, and nothing here does. The second is compiled for its platform; it is
  // loaded from node_modules, and only by what makes an edition.
  external: ['chokidar', 'sharp'],
  minifySyntax: true,
  minifyWhitespace: true,
  // So that the place which an error names can be found.
  lineLimit: 120,
  // Express and others are CommonJS and ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** What runs in a browser, under names that carry a hash of it; the module that pages load comes first. */
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

/**
 * One module with what it imports at once. What it may import later stays a module of
 * its own, so that pages load only what they use, and the first one waits for none.
 */
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
    plugins: [laterModules],
    logLevel: 'warning',
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { path: `/assets/${basename(file, '.ts')}.${hash}.js`, text };
}

/** Style sheets name a file of `public/` as editors do; pages ask for it by the address that carries its hash. */
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

/** Minified CSS by page: what the layout, the page and its parts import, and nothing else. */
export async function compileStyles(): Promise<Record<string, string>> {
  const pages = globSync('**/*.page.tsx', { cwd: src });
  const pageWithLayout: Plugin = {
    name: 'page-with-layout',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^styles-of:/ }, ({ path }) => ({
        path: path.slice('styles-of:'.length),
        namespace: 'styles',
      }));
      onLoad({ filter: /.*/, namespace: 'styles' }, ({ path }) => ({
        contents: `import './design/layout/layout.tsx'; import './${path}';`,
        resolveDir: src,
      }));
    },
  };
  const result = await build({
    entryPoints: pages.map((page) => ({ in: `styles-of:${page}`, out: basename(page, '.page.tsx') })),
    outdir: dist,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    packages: 'external',
    target: browsers,
    jsx: 'automatic',
    plugins: [pageWithLayout, publicFiles],
    logLevel: 'warning',
  });
  const css = result.outputFiles.filter(({ path }) => path.endsWith('.css'));
  const styles = css.map(({ path, text }): [string, string] => [basename(path, '.css'), text.trim()]);
  return Object.fromEntries(styles.map(([page, text]) => [page, page === adopted ? withoutFace(text) : text]).sort());
}

/** The page whose styles every other page adopts with the dialog that it makes of it. */
const adopted = 'contact';

/**
 * Leaves the display face to the page behind the dialog: declared once more, it would have a
 * second chance to arrive, and lines that were laid out without it would move under the reader.
 */
function withoutFace(css: string): string {
  return css.replace(/@font-face\{[^}]*\}/, '');
}

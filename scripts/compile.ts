import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { filesBelow } from '../src/lib/files.ts';
import { hashOf } from '../src/lib/hash.ts';
import { compiledIn } from '../src/lib/paths.ts';
import { readAssets } from '../src/loading/assets.ts';
import { type Code, readCode } from '../src/site/compiled-code.ts';
import { compileEditor } from './editor.ts';
import { arrangeStyles, styleRules } from './styles.ts';
import { templateModule } from './templates.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const src = join(root, 'src');

/** An Android WebView of 2020 is the oldest with styled pages. */
const browsers = ['chrome80', 'safari15'];

/** Content has its own hash; programs do not load the rest. */
const noSource = /^src\/(content|tests)\/|^scripts\/(bench|deploy)|\.test\.tsx?$|\.webp$|\.md$/;

function codeId(footer: string): string {
  const files = ['views', 'public', 'src', 'scripts'].flatMap((folder) => filesBelow(join(root, folder)));
  const hash = createHash('sha256').update(footer);
  for (const file of [join(root, 'package-lock.json'), ...files]) {
    const name = relative(root, file);
    if (!noSource.test(name)) hash.update(`${name}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** `footer` ends the script of every page. */
type CompileOptions = { outdir?: string; footer?: string };

export async function compileIfStale({ outdir = dist, footer = '' }: CompileOptions = {}): Promise<void> {
  const { code } = compiledIn(outdir);
  if (!existsSync(code) || readCode(code).id !== codeId(footer)) await compile({ outdir, footer });
}

export async function compile({ outdir = dist, footer = '' }: CompileOptions = {}): Promise<void> {
  const started = performance.now();
  // Hashed chunks would pile up.
  for (const old of globSync(join(outdir, '{code.json,*.js,compiled,editor}'))) rmSync(old, { recursive: true });
  await compilePrograms(outdir);
  copyFonts(outdir);
  await compileEditor(compiledIn(outdir).editor);
  const scripts = await compileScripts(footer);
  const styles = await compileStyles(scripts.map(({ text }) => text));
  const code: Code = { id: codeId(footer), styles, scripts };
  // Last, because it marks a complete build.
  writeFileSync(compiledIn(outdir).code, JSON.stringify(code));
  process.stderr.write(`Compiled in ${Math.round(performance.now() - started)} ms.\n`);
}

/** Entries run on any Node, to report an old version. */
async function compilePrograms(outdir: string): Promise<void> {
  const entry = readFileSync(join(root, 'scripts/entry.js'), 'utf8');
  // One at a time: shared code would become some forty chunks.
  for (const name of ['main', 'cli']) {
    const program = `${name}-program`;
    await build({ ...forNode, entryPoints: [{ in: join(src, `${name}.ts`), out: program }], outdir });
    writeFileSync(join(outdir, `${name}.js`), entry.replace('PROGRAM', `${program}.js`));
  }
  const check = readFileSync(join(root, 'scripts/node-version.js'), 'utf8');
  const manifest = relative(outdir, join(root, 'package.json'));
  writeFileSync(join(outdir, 'node-version.js'), check.replace('../package.json', manifest));
}

/** For share pictures; the licence must accompany the fonts. */
function copyFonts(outdir: string): void {
  const { font, noFonts } = compiledIn(outdir);
  const family = join(root, 'node_modules/@expo-google-fonts/golos-text');
  copyFileSync(join(family, '500Medium/GolosText_500Medium.ttf'), font(500));
  copyFileSync(join(family, '700Bold/GolosText_700Bold.ttf'), font(700));
  copyFileSync(join(family, 'LICENSE_FONT'), join(outdir, 'golos-text-license.txt'));
  writeFileSync(noFonts, '<fontconfig/>\n');
}

const templates: Plugin = {
  name: 'templates',
  setup({ onLoad }) {
    onLoad({ filter: /\.njk$/ }, ({ path }) => ({ contents: templateModule(readFileSync(path, 'utf8'), path) }));
  },
};

const forNode: BuildOptions = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node26',
  jsx: 'automatic',
  loader: { '.css': 'empty', '.svg': 'text' },
  // Leaves out the streaming renderer.
  alias: {
    'react-dom/server': join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js'),
  },
  plugins: [templates],
  define: { 'process.env.NODE_ENV': '"production"' },
  // chokidar only watches templates; sharp is native.
  external: ['chokidar', 'sharp'],
  minifySyntax: true,
  minifyWhitespace: true,
  // Keeps positions in stack traces readable.
  lineLimit: 120,
  // CommonJS packages `require` built-in modules.
  banner: {
    js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
  },
  logLevel: 'warning',
};

const forBrowsers = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: browsers,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

async function compileScripts(footer: string): Promise<Code['scripts']> {
  const modules = new Map<string, Promise<Script>>();
  const moduleAt = (file: string): Promise<Script> => {
    const module = modules.get(file) ?? compileScript(file, moduleAt);
    modules.set(file, module);
    return module;
  };
  const entry = await compileScript(join(src, 'client/entry.ts'), moduleAt, footer);
  const others = await Promise.all(modules.values());
  return [entry, ...others.sort((a, b) => a.path.localeCompare(b.path))];
}

type Script = Code['scripts'][number];

/** Loads CSS as text, for constructable style sheets. */
const adoptedStyles: Plugin = {
  name: 'adopted-styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true, target: browsers });
      return { contents: arrangeStyles(code), loader: 'text' };
    });
  },
};

/** Pages load only the modules they use. */
async function compileScript(file: string, moduleAt: (file: string) => Promise<Script>, footer = ''): Promise<Script> {
  const laterModules: Plugin = {
    name: 'later-modules',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        return { path: (await moduleAt(join(resolveDir, path))).path, external: true };
      });
    },
  };
  const { outputFiles } = await build({
    ...forBrowsers,
    entryPoints: [file],
    charset: 'utf8',
    plugins: [laterModules, adoptedStyles],
    footer: { js: footer },
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = hashOf(text).slice(0, 8);
  return { path: `/assets/${basename(file, '.ts')}.${hash}.js`, text };
}

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

/** Each page has the styles that its file and the imported components import. */
async function compileStyles(scripts: readonly string[]): Promise<Code['styles']> {
  const pages = globSync('**/*.page.tsx', { cwd: src }).sort();
  const { outputFiles } = await build({
    ...forBrowsers,
    entryPoints: pages.map((page) => ({ in: join(src, page), out: basename(page, '.page.tsx') })),
    inject: [join(src, 'components/layout/layout.tsx')],
    outdir: dist,
    packages: 'external',
    jsx: 'automatic',
    // Desk pages import mail templates, which have no styles.
    loader: { '.njk': 'empty', '.svg': 'text' },
    plugins: [publicFiles],
  });
  const sheets = outputFiles.filter(({ path }) => path.endsWith('.css'));
  const rulesOf = (css: string) => styleRules(arrangeStyles(css), scripts);
  return Object.fromEntries(sheets.map(({ path, text }) => [basename(path, '.css'), rulesOf(text)]));
}

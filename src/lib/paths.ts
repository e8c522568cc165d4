import { existsSync } from 'node:fs';
import { join } from 'node:path';

// The root is one folder up from compiled code, two from source code.
const here = import.meta.dirname;
const root = [join(here, '..'), join(here, '../..')].find((dir) => existsSync(join(dir, 'package.json'))) ?? here;
const dist = join(root, 'dist');

/** What is compiled into a folder. */
export function compiledIn(dir: string) {
  return {
    /** Written last, so it marks a complete build. */
    code: join(dir, 'code.json'),
    editor: join(dir, 'editor'),
    font: (weight: 500 | 700) => join(dir, `golos-text-${weight}.ttf`),
    /** Hides system fonts from fontconfig. */
    noFonts: join(dir, 'fonts.conf'),
    main: join(dir, 'main.js'),
    commands: join(dir, 'cli.js'),
  };
}

/** `npm run dev` compiles into another folder, so that what `npm start` and tests run from `dist` stays whole. */
const compiled = existsSync(compiledIn(here).code) ? here : dist;

export const paths = {
  content: join(root, 'src/content'),
  templates: join(root, 'src/content/.templates'),
  public: join(root, 'public'),
  deploy: join(root, 'scripts/deploy'),
  ...compiledIn(compiled),
  published: (dataDir: string) => join(dataDir, 'published'),
  /** Shared by all servers, then shipped with the build. */
  pictures: (dataDir: string): [string, string] => [join(dataDir, 'pictures'), join(dist, 'pictures')],
} as const;

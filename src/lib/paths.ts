import { existsSync } from 'node:fs';
import { join } from 'node:path';

// The root is one folder up from compiled code, two from source code.
const here = import.meta.dirname;
const root = [join(here, '..'), join(here, '../..')].find((dir) => existsSync(join(dir, 'package.json'))) ?? here;

export const paths = {
  content: join(root, 'src/content'),
  templates: join(root, 'src/content/.templates'),
  public: join(root, 'public'),
  deploy: join(root, 'scripts/deploy'),
  code: join(root, 'dist/code.json'),
  editor: join(root, 'dist/editor'),
  font: (weight: 500 | 700) => join(root, `dist/golos-text-${weight}.ttf`),
  /** Hides system fonts from fontconfig. */
  noFonts: join(root, 'dist/fonts.conf'),
  main: join(root, 'dist/main.js'),
  commands: join(root, 'dist/cli.js'),
  published: (dataDir: string) => join(dataDir, 'published'),
  /** Shared by all servers, then shipped with the build. */
  pictures: (dataDir: string): [string, string] => [join(dataDir, 'pictures'), join(root, 'dist/pictures')],
} as const;

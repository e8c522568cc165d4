import { existsSync } from 'node:fs';
import { join } from 'node:path';

// From compiled code the root is one folder up, from source code two.
const here = import.meta.dirname;
const root = [join(here, '..'), join(here, '../..')].find((dir) => existsSync(join(dir, 'package.json'))) ?? here;

export const paths = {
  /** The default of `CONTENT_DIR`. */
  content: join(root, 'src/content'),
  /** What `new` begins files with. */
  templates: join(root, 'src/content/.templates'),
  public: join(root, 'public'),
  deploy: join(root, 'scripts/deploy'),
  code: join(root, 'dist/code.json'),
  editor: join(root, 'dist/editor'),
  /** For share pictures. */
  font: (weight: 500 | 700) => join(root, `dist/golos-text-${weight}.ttf`),
  /** Hides the machine's fonts from fontconfig. */
  noFonts: join(root, 'dist/fonts.conf'),
  main: join(root, 'dist/main.js'),
  commands: join(root, 'dist/cli.js'),
  published: (dataDir: string) => join(dataDir, 'published'),
  /** Shared by all servers; shipped with the build. */
  pictures: (dataDir: string): [string, string] => [join(dataDir, 'pictures'), join(root, 'dist/pictures')],
} as const;

import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Compiled, this lies one folder below the project; as it is written, two.
const here = import.meta.dirname;
const root = [join(here, '..'), join(here, '../..')].find((dir) => existsSync(join(dir, 'package.json'))) ?? here;

/** Where the project keeps what is read or made while it runs. */
export const paths = {
  /** The content that ships, for when `CONTENT_DIR` is not set. */
  content: join(root, 'src/content'),
  /** What `new` begins files with. */
  templates: join(root, 'src/content/.templates'),
  public: join(root, 'public'),
  /** What is copied to where nginx and systemd look. */
  deploy: join(root, 'scripts/deploy'),
  code: join(root, 'dist/code.json'),
  /** The editor in the browser. */
  editor: join(root, 'dist/editor'),
  /** The letters of pictures that shared links show. */
  font: (weight: 500 | 700) => join(root, `dist/golos-text-${weight}.ttf`),
  /** What fontconfig reads to know of none of the machine's. */
  noFonts: join(root, 'dist/fonts.conf'),
  main: join(root, 'dist/main.js'),
  commands: join(root, 'dist/cli.js'),
  /** What editors have published. */
  published: (dataDir: string) => join(dataDir, 'published'),
  /** Encoded pictures: those that servers share, then those that the build made. */
  pictures: (dataDir: string): [string, string] => [join(dataDir, 'pictures'), join(root, 'dist/pictures')],
  /** Those of the build alone. */
  shippedPictures: join(root, 'dist/pictures'),
} as const;

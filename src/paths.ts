import { join } from 'node:path';

// Both the sources and the compiled files lie one folder below the project.
const root = join(import.meta.dirname, '..');

/** Where the project keeps what is read or made while it runs. */
export const paths = {
  /** The content that ships, for when `CONTENT_DIR` is not set. */
  content: join(root, 'src/content'),
  public: join(root, 'public'),
  code: join(root, 'dist/code.json'),
  /** The letters of pictures that are made with the edition. */
  font: (weight: 500 | 700) => join(root, `dist/golos-text-${weight}.ttf`),
  main: join(root, 'dist/main.js'),
  commands: join(root, 'dist/cli.js'),
  /** The store of editions that the build made. */
  shippedEditions: join(root, 'dist/editions.sqlite'),
  /** The one that servers share, in `DATA_DIR`. */
  ownEditions: (dataDir: string) => join(dataDir, 'editions.sqlite'),
} as const;

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawIcon, icons } from '../src/site/icons.ts';

// npm run icons: renders public/favicon.svg in all icon sizes

const publicDir = join(import.meta.dirname, '..', 'public');
const logo = readFileSync(join(publicDir, 'favicon.svg'));

for (const icon of icons) {
  const bytes = await drawIcon(icon, logo, 32);
  writeFileSync(join(publicDir, icon.path), bytes);
  process.stderr.write(`${icon.path} ${bytes.length} bytes\n`);
}

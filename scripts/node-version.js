// Ends programs and scripts of a Node that is too old, with a sentence. Runs on Node 12 and later.
// biome-ignore lint/style/useNodejsImportProtocol: the first versions of 12 do not know it
import { readFileSync } from 'fs';

const { engines } = JSON.parse(String(readFileSync(new URL('../package.json', import.meta.url))));
const needed = engines.node.replace('>=', '');
const [major, minor] = process.versions.node.split('.').map(Number);
const [neededMajor, neededMinor] = needed.split('.').map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `This needs Node.js ${needed} or later, and is run by ${process.version} (${process.execPath}).\n` +
      'Nothing was done. "npm ci" brings a later one, which npm scripts use: node_modules/.bin/node.\n',
  );
  process.exit(1);
}

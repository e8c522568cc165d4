// Runs on Node 12 and later, to report the version that is needed.
// biome-ignore lint/style/useNodejsImportProtocol: the first versions of 12 do not know it
import module from 'module';

const [major, minor] = process.versions.node.split('.').map(Number);
const [neededMajor, neededMinor] = 'NEEDED'.split('.').map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `This needs Node.js NEEDED or later, and is run by ${process.version} (${process.execPath}).\n` +
      'Nothing was done. Put a later one first on the PATH, or begin with its whole path, as node_modules/.bin/node.\n',
  );
  process.exitCode = 1;
} else {
  // The compile cache is next to the program, if that is writable.
  module.enableCompileCache({ directory: `${import.meta.dirname}/compiled`, portable: true });
  import('./PROGRAM').then(({ main }) => main());
}

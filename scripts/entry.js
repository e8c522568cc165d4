import './node-version.js';
// biome-ignore lint/style/useNodejsImportProtocol: a Node that is too old has to get as far as to say so
import module from 'module';

// The compile cache is next to the program, if that is writable.
module.enableCompileCache({ directory: `${import.meta.dirname}/compiled`, portable: true });
import('./PROGRAM').then(({ main }) => main());

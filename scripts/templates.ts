import { basename } from 'node:path';
import nunjucks from 'nunjucks';

const environment = new nunjucks.Environment(null, { throwOnUndefined: true, trimBlocks: true, lstripBlocks: true });

/**
 * A template of `views/` as a module, so that a broken one stops the build and not a
 * visitor, and the server starts without a compiler.
 *
 * @throws naming the file and the line
 */
export function templateModule(source: string, file: string): string {
  const code = nunjucks.precompileString(source, {
    name: basename(file),
    env: environment,
    // Its types know of one template; what comes is a list of them.
    wrapper: (templates: unknown) => (templates as { template: string }[]).map(({ template }) => template).join(),
  });
  return `export default (() => {${code}})();`;
}

import { basename } from 'node:path';
import nunjucks from 'nunjucks';

const environment = new nunjucks.Environment(null, { throwOnUndefined: true, trimBlocks: true, lstripBlocks: true });

/** Precompiled, so that a broken template fails the build. @throws with file and line */
export function templateModule(source: string, file: string): string {
  // Comments keep the numbers of lines.
  const dense = source.replace(/>\n(?=[<{])/g, '>{#\n#}');
  const code = nunjucks.precompileString(dense, {
    name: basename(file),
    env: environment,
    // The types are wrong: the argument is a list.
    wrapper: (templates: unknown) => (templates as { template: string }[]).map(({ template }) => template).join(),
  });
  return `export default (() => {${code}})();`;
}

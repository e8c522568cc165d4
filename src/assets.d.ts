declare module '*.css' {
  /** What a client module adopts; elsewhere, an import only says which styles a page has. */
  const text: string;
  export default text;
}
declare module '*.njk' {
  /** What a template was compiled to. */
  const template: object;
  export default template;
}
declare module 'nunjucks/browser/nunjucks-slim.js' {
  import type { ConfigureOptions } from 'nunjucks';

  class Environment {
    constructor(loader: null, options: ConfigureOptions);
  }
  class Template {
    constructor(compiled: { type: 'code'; obj: object }, environment: Environment);
    render(context: object): string;
  }
  const nunjucks: { Environment: typeof Environment; Template: typeof Template };
  export default nunjucks;
}
declare module 'subset-font' {
  /** Leaves of a font the characters of `text`. */
  function subsetFont(font: Buffer, text: string, options: { targetFormat: 'sfnt' | 'woff2' }): Promise<Buffer>;
  export default subsetFont;
}

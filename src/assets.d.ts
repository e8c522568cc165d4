declare module '*.css' {
  /** The text in client modules; elsewhere an import only declares a page's styles. */
  const text: string;
  export default text;
}
declare module '*.svg' {
  const source: string;
  export default source;
}
declare module '*.njk' {
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

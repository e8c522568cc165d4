import nunjucks from 'nunjucks/browser/nunjucks-slim.js';

export const markup = new nunjucks.Environment(null, { autoescape: true });
/** For text/plain, which needs no escaping. */
export const plain = new nunjucks.Environment(null, { autoescape: false });

/** Precompiled by scripts/templates.ts. */
export function template(obj: object, environment: typeof markup): (context: object) => string {
  const compiled = new nunjucks.Template({ type: 'code', obj }, environment);
  return (context) => compiled.render(context);
}

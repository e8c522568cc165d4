import nunjucks from 'nunjucks/browser/nunjucks-slim.js';

export const markup = new nunjucks.Environment(null, { autoescape: true });
/** For texts of the type text/plain, where escaping would only garble. */
export const plain = new nunjucks.Environment(null, { autoescape: false });

/** A template that is ready to render. Templates are compiled when the project is; see scripts/templates.ts. */
export function template(obj: object, environment: typeof markup): (context: object) => string {
  const compiled = new nunjucks.Template({ type: 'code', obj }, environment);
  return (context) => compiled.render(context);
}

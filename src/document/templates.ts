import nunjucks from 'nunjucks/browser/nunjucks-slim.js';
import botError from '../../views/bot-error.njk';
import document from '../../views/document.njk';
import plainError from '../../views/plain-error.njk';
import robots from '../../views/robots.njk';
import rss from '../../views/rss.njk';
import sitemap from '../../views/sitemap.njk';

const markup = new nunjucks.Environment(null, { autoescape: true });
/** For answers of the type text/plain, where escaping would only garble. */
const plain = new nunjucks.Environment(null, { autoescape: false });

type Environment = typeof markup;

/** Templates are compiled when the project is; see scripts/templates.ts. */
function template(obj: object, environment: Environment): (context: object) => string {
  const compiled = new nunjucks.Template({ type: 'code', obj }, environment);
  return (context) => compiled.render(context);
}

/** Every template of `views/`, ready to render. */
export const templates = {
  botError: template(botError, plain),
  document: template(document, markup),
  plainError: template(plainError, markup),
  robots: template(robots, plain),
  rss: template(rss, markup),
  sitemap: template(sitemap, markup),
};

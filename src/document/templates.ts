import nunjucks from 'nunjucks';
import botError from '../../views/bot-error.njk';
import document from '../../views/document.njk';
import plainError from '../../views/plain-error.njk';
import robots from '../../views/robots.njk';
import rss from '../../views/rss.njk';
import sitemap from '../../views/sitemap.njk';

const options = { throwOnUndefined: true, trimBlocks: true, lstripBlocks: true };
const markup = new nunjucks.Environment(null, { ...options, autoescape: true });
/** For answers of the type text/plain, where escaping would only garble. */
const plain = new nunjucks.Environment(null, { ...options, autoescape: false });

/** Compiles at once, so that a broken template stops the start and not a visitor. */
function template(source: string, environment: nunjucks.Environment): (context: object) => string {
  const compiled = new nunjucks.Template(source, environment, undefined, true);
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

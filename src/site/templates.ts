import botError from '../../views/bot-error.njk';
import document from '../../views/document.njk';
import plainError from '../../views/plain-error.njk';
import robots from '../../views/robots.njk';
import rss from '../../views/rss.njk';
import sitemap from '../../views/sitemap.njk';
import { markup, plain, template } from '../lib/template.ts';

/** Mail templates load on first use instead. */
export const templates = {
  botError: template(botError, plain),
  document: template(document, markup),
  plainError: template(plainError, markup),
  robots: template(robots, plain),
  rss: template(rss, markup),
  sitemap: template(sitemap, markup),
};

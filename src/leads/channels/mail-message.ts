import nunjucks from 'nunjucks/browser/nunjucks-slim.js';
import htmlTemplate from '../../../views/lead-mail.html.njk';
import textTemplate from '../../../views/lead-mail.text.njk';
import type { Notification } from './channel.ts';
import { appeal, facts, headline, messageLines, type NotifyingSite } from './wording.ts';

const html = new nunjucks.Template(
  { type: 'code', obj: htmlTemplate },
  new nunjucks.Environment(null, { autoescape: true }),
);
/** The type text/plain, where escaping would only garble. */
const text = new nunjucks.Template(
  { type: 'code', obj: textTemplate },
  new nunjucks.Environment(null, { autoescape: false }),
);

/** What a mail says: its subject, without personal data, and its body in two forms. */
export function mailMessage(
  notification: Notification,
  site: NotifyingSite,
): { subject: string; text: string; html: string } {
  const subject = headline(notification);
  const context = {
    headline: subject,
    appeal: appeal(notification),
    facts: facts(notification, site),
    message: messageLines(notification),
    takeUrl: notification.takeUrl,
    siteName: site.name,
    siteUrl: site.url,
  };
  return { subject, text: text.render(context), html: html.render(context) };
}

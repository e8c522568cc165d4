import htmlTemplate from '../../../views/lead-mail.html.njk';
import textTemplate from '../../../views/lead-mail.text.njk';
import { markup, plain, template } from '../../document/template.ts';
import type { Notification } from './channel.ts';
import { appeal, calculationLines, facts, headline, messageLines, type NotifyingSite } from './wording.ts';

const html = template(htmlTemplate, markup);
const text = template(textTemplate, plain);

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
    calculation: calculationLines(notification),
    takeUrl: notification.takeUrl,
    siteName: site.name,
    siteUrl: site.url,
  };
  return { subject, text: text(context), html: html(context) };
}

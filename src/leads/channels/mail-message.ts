import htmlTemplate from '../../../views/lead-mail.html.njk';
import textTemplate from '../../../views/lead-mail.text.njk';
import { markup, plain, template } from '../../lib/template.ts';
import { typeset } from '../../model/typography.ts';
import type { Notification, Sender } from './channel.ts';
import {
  appeal,
  calculationLines,
  entryOf,
  type Fact,
  facts,
  headline,
  messageLines,
  releaseCommand,
} from './lead-words.ts';

const html = template(htmlTemplate, markup);
const text = template(textTemplate, plain);

/** The subject has no personal data. */
type MailMessage = { subject: string; text: string; html: string };

export function mailMessage(notifications: readonly Notification[], site: Sender): MailMessage {
  const subject = headline(notifications, site);
  const context = {
    headline: subject,
    appeal: appeal(notifications),
    release: releaseCommand(notifications),
    leads: notifications.map((notification) => ({
      entry: entryOf(notification),
      facts: facts(notification, site),
      message: messageLines(notification),
      calculation: calculationLines(notification),
      takeUrl: notification.takeUrl,
    })),
    siteName: site.name,
    siteUrl: site.url,
  };
  // The visitor's own words are not typeset.
  const set = {
    headline: typeset(subject),
    appeal: typeset(context.appeal),
    leads: context.leads.map((lead) => ({
      ...lead,
      facts: lead.facts.map(unbroken),
      calculation: lead.calculation.map(typeset),
    })),
  };
  return { subject, text: text(context), html: html({ ...context, ...set }) };
}

/** Keeps a phone number on one line. */
function unbroken(phone: Fact): Fact {
  return phone.href?.startsWith('tel:') ? { ...phone, value: phone.value.replaceAll(' ', '\u00A0') } : phone;
}

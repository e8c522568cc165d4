import htmlTemplate from '../../../views/lead-mail.html.njk';
import textTemplate from '../../../views/lead-mail.text.njk';
import { markup, plain, template } from '../../lib/template.ts';
import { typeset } from '../../model/typography.ts';
import { actionOf, calculationLines, doubtOf, type Fact, factsOf, messageLines } from '../messages/lead-facts.ts';
import { appeal, headline, type Notification, releaseCommand, type Sender } from '../messages/notification.ts';

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
    leads: notifications.map(({ lead, presetTitle, takeUrl }) => ({
      number: lead.number,
      title: presetTitle,
      doubt: doubtOf(lead),
      action: actionOf(lead),
      takeUrl,
      facts: factsOf(lead, site),
      message: messageLines(lead),
      calculation: calculationLines(lead),
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

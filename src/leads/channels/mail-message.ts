import htmlTemplate from '../../../views/lead-mail.html.njk';
import textTemplate from '../../../views/lead-mail.text.njk';
import joinedHtmlTemplate from '../../../views/leads-mail.html.njk';
import joinedTextTemplate from '../../../views/leads-mail.text.njk';
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
  joinedAppeal,
  joinedHeadline,
  messageLines,
  releaseCommand,
} from './wording.ts';

const html = template(htmlTemplate, markup);
const text = template(textTemplate, plain);
const joinedHtml = template(joinedHtmlTemplate, markup);
const joinedText = template(joinedTextTemplate, plain);

/** What a mail says: its subject, without personal data, and its body in two forms. */
type MailMessage = { subject: string; text: string; html: string };

export function mailMessage(notification: Notification, site: Sender): MailMessage {
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
  // What the visitor wrote stays as it is.
  const set = {
    headline: typeset(subject),
    appeal: typeset(context.appeal),
    facts: context.facts.map(unbroken),
    calculation: context.calculation.map(typeset),
  };
  return { subject, text: text(context), html: html({ ...context, ...set }) };
}

/** A number is never on two lines. */
function unbroken(phone: Fact): Fact {
  return phone.href?.startsWith('tel:') ? { ...phone, value: phone.value.replaceAll(' ', '\u00A0') } : phone;
}

/** As `mailMessage`, of several leads that are told of for one reason. */
export function joinedMailMessage(joined: readonly Notification[], site: Sender): MailMessage {
  const subject = joinedHeadline(joined, site);
  const context = {
    headline: subject,
    appeal: joinedAppeal(joined),
    release: releaseCommand(joined),
    entries: joined.map(entryOf),
    siteName: site.name,
    siteUrl: site.url,
  };
  const set = {
    headline: typeset(subject),
    appeal: typeset(context.appeal),
    entries: context.entries.map((entry) => ({ ...entry, phone: unbroken(entry.phone) })),
  };
  return { subject, text: joinedText(context), html: joinedHtml({ ...context, ...set }) };
}

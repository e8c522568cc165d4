import { channelName, eventPhrase } from '../leads/messages/desk-phrases.ts';
import { calculationLines, factsOf, messageLines, signalPhrases } from '../leads/messages/lead-facts.ts';
import type { DeliveryRecord } from '../leads/store/deliveries.ts';
import type { Destruction } from '../leads/store/destruction.ts';
import { type Lead, leadTitles } from '../leads/store/lead.ts';
import type { LeadEvent } from '../leads/store/lead-events.ts';
import type { Store } from '../leads/store/open-store.ts';
import { removalOf } from '../leads/store/retention.ts';
import { localTime } from '../lib/calendar.ts';
import { formatDate, formatMoment } from '../lib/format.ts';
import { formatPhone } from '../lib/phone.ts';
import type { Content } from '../model/content.ts';
import { presetTitle } from '../model/preset-title.ts';
import type { Retention } from '../model/retention-periods.ts';
import { fieldTitles, operatorLines, reasonWords } from './destruction-act.ts';

/** Everything that is known of a phone. */
type PersonalData = {
  phone: string;
  /** Newest first. */
  leads: readonly KnownLead[];
  /** By the hash that leads name. */
  consentTexts: Readonly<Record<string, string>>;
  /** Oldest first. */
  destroyed: readonly Destruction[];
};

type KnownLead = {
  lead: Lead;
  deliveries: readonly DeliveryRecord[];
  /** When all but the evidence of consent is removed, and when the rest is. */
  removal: { leads: string; consents: string };
};

export async function findPersonalData(store: Store, phone: string, retention: Retention): Promise<PersonalData> {
  const { leads, deliveries, destructions } = store;
  const found = await leads.list({ phone });
  const known: KnownLead[] = [];
  const consentTexts: Record<string, string> = {};
  for (const lead of found) {
    const { number, consent, receivedAt } = lead;
    known.push({ lead, deliveries: await deliveries.of(number), removal: removalOf(receivedAt, retention) });
    const text = await leads.consentText(consent);
    if (text !== undefined) consentTexts[consent] = text;
  }
  return { phone, leads: known, consentTexts, destroyed: await destructions.ofPhone(phone) };
}

/**
 * Without the names of staff, because an answer to a person must not contain data of others, and without the receipt, because
 * it grants access.
 */
export function personalDataJson({ phone, leads, consentTexts, destroyed }: PersonalData): string {
  const known = leads.map(({ lead, deliveries, removal }) => {
    const { receipt, state, since, takenAt, takenBy, events, ...sent } = lead;
    return {
      ...sent,
      events: events.map(({ at, eventName, text }) => ({ at, eventName, text })),
      sentTo: deliveries.map(({ channel, reason, state, at }) => ({ channel, reason, state, at })),
      removal,
    };
  });
  const gone = destroyed.map(({ at, reason, lead, categories }) => ({ at, reason, lead, categories }));
  return `${JSON.stringify({ phone, leads: known, consentTexts, destroyed: gone }, null, 2)}\n`;
}

type Answer = { content: Content; siteUrl: string; now: Date };

/** A letter that can be sent to the person, in Russian. */
export function* personalDataText(data: PersonalData, answer: Answer): Generator<string> {
  const { phone, leads, consentTexts, destroyed } = data;
  const { company } = answer.content;
  yield `${operatorLines(company)}\n`;
  yield `Данные, связанные с номером ${formatPhone(phone)}, на ${momentIn(answer, answer.now.toISOString())}\n`;
  if (leads.length === 0) yield '\nСейчас мы не храним данных, связанных с этим номером.\n';
  for (const lead of leads) yield `\n${leadLines(lead, answer).join('\n')}\n`;
  yield `\n${destroyedLines(destroyed, answer).join('\n')}\n`;
  for (const [hash, text] of Object.entries(consentTexts)) yield `\nТекст согласия ${hash}\n${text}\n`;
  if (leads.length === 0) return;
  yield `\nЗачем нам эти данные, на каком основании мы их храним и какие у вас права: ${answer.siteUrl}/policy\n`;
}

function momentIn({ content }: Answer, instant: string): string {
  return formatMoment(instant, content.company.workingHours.timeZone);
}

function leadLines({ lead, deliveries, removal }: KnownLead, answer: Answer): string[] {
  const { content, siteUrl } = answer;
  const { timeZone } = content.company.workingHours;
  const lines = (title: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${title}: ${texts.join('\n')}`] : [];
  const doubt = signalPhrases(lead.signals);
  return [
    `Заявка № ${lead.number}: ${presetTitle(content, lead.preset)}`,
    ...factsOf(lead, { url: siteUrl, timeZone }).map(({ label, value }) => `${label}: ${value}`),
    ...lines(leadTitles.message, messageLines(lead)),
    ...lines(leadTitles.calculation, calculationLines(lead)),
    ...lines(leadTitles.signals, doubt === '' ? [] : [doubt]),
    ...lead.events.map((event) => eventLine(event, answer)),
    `Согласие: отмечено при отправке, отпечаток текста ${lead.consent}`,
    ...deliveries.map((delivery) => recipientLine(delivery, answer)),
    removalLine(removal, answer),
  ];
}

function eventLine(event: LeadEvent, answer: Answer): string {
  const moment = (instant: string) => momentIn(answer, instant);
  const { what } = eventPhrase(event, moment);
  return `${what === '' ? 'Заметка сотрудника' : 'Заявка'}, ${moment(event.at)}: ${what || event.text}`;
}

const outcomes: Readonly<Record<DeliveryRecord['state'], string>> = {
  delivered: 'получено',
  waiting: 'отправляется, получение ещё не подтверждено',
  dead: 'получение не подтверждено',
};

function recipientLine({ channel, state, at }: DeliveryRecord, answer: Answer): string {
  return `Кому передана: ${channelName(channel)}, ${outcomes[state]}, ${momentIn(answer, at)}`;
}

function removalLine({ leads, consents }: KnownLead['removal'], { content, now }: Answer): string {
  const day = (instant: string) => formatDate(localTime(new Date(instant), content.company.workingHours.timeZone).date);
  const rest = `телефон и сведения о согласии удалим ${day(consents)}`;
  return `Срок: ${Date.parse(leads) > now.getTime() ? `${rest}, всё остальное ${day(leads)}` : rest}`;
}

function destroyedLines(destroyed: readonly Destruction[], answer: Answer): string[] {
  if (destroyed.length === 0) return ['За последние три года мы не уничтожали данных, связанных с этим номером.'];
  const lines = destroyed.map(({ at, lead, reason, categories }) => {
    const what = `заявка № ${lead}: ${fieldTitles(categories)}. Причина: ${reasonWords[reason]}`;
    return `${momentIn(answer, at)}, ${what}`;
  });
  return ['Уничтоженные данные', ...lines];
}

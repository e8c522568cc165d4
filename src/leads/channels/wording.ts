import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isDoubtful } from '../spam.ts';
import { tidyLine, tidyText } from '../tidy.ts';
import type { Notification } from './channel.ts';

/** What a notification says of the site that it comes from. */
export type NotifyingSite = {
  /** What the company calls itself. */
  name: string;
  /** Absolute address without a trailing slash. */
  url: string;
  /** IANA time zone in which people at the company read a clock. */
  timeZone: string;
};

/** One line that a person on duty reads; `href` is where a press on it leads. */
export type Fact = { label: string; value: string; href?: string };

/**
 * What it is about, on one line and without personal data: for subjects, titles and lock screens.
 */
export function headline({ reason, lead, presetTitle }: Notification): string {
  switch (reason) {
    case 'new':
      return tidyLine(`${isDoubtful(lead.signals) ? 'Похоже на спам. ' : ''}Заявка № ${lead.number}: ${presetTitle}`);
    case 'untaken':
      return tidyLine(`Заявку № ${lead.number} никто не взял: ${presetTitle}`);
    case 'test':
      return 'Проверка уведомлений: звонить никому не нужно';
  }
}

/** What to do now, as one Russian sentence. */
export function appeal({ reason, lead }: Notification): string {
  switch (reason) {
    case 'new':
      if (isDoubtful(lead.signals))
        return 'Может быть, это спам, а может быть, человек: прочитайте, прежде чем звонить.';
      return 'Возьмите заявку, чтобы все видели, что она ваша, и позвоните.';
    case 'untaken':
      return 'Человек ждёт звонка, а заявку до сих пор никто не взял. Возьмите её и позвоните.';
    case 'test':
      return 'Это проверка, а не заявка: так она выглядела бы. Ничего делать не нужно.';
  }
}

/** Everything about the lead but its message and its calculation, in the order in which it is needed; each value is one line. */
export function facts({ lead }: Pick<Notification, 'lead'>, site: NotifyingSite): Fact[] {
  const name = tidyLine(lead.name ?? '');
  const typed = phoneAsTyped(lead);
  const page = pageUrl(lead.page, site.url);
  const attribution = Object.entries(lead.attribution).map(([key, value]) => tidyLine(`${key}: ${value}`));
  return [
    ...(name ? [{ label: 'Имя', value: name }] : []),
    phoneFact(lead.phone),
    ...(typed ? [{ label: 'В поле телефона', value: typed }] : []),
    { label: 'Страница', value: page, href: page },
    { label: 'Пришла', value: localTime(lead.receivedAt, site.timeZone) },
    ...(attribution.length > 0 ? [{ label: 'Реклама', value: attribution.join(', ') }] : []),
  ];
}

/** What the visitor wrote, as lines; none if they wrote nothing. */
export function messageLines({ lead }: Pick<Notification, 'lead'>): string[] {
  const message = tidyText(lead.message ?? '');
  return message === '' ? [] : message.split('\n');
}

/** What the calculator made of the visitor's order, as lines; none if they sent no calculation along. */
export function calculationLines({ lead }: Pick<Notification, 'lead'>): string[] {
  const calculation = tidyText(lead.calculation ?? '');
  return calculation === '' ? [] : calculation.split('\n');
}

/** `+7 916 123-45-67`; numbers of other countries as they are written abroad. */
export function readablePhone(phone: string): string {
  const russian = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(phone);
  if (russian) return `+7 ${russian[1]} ${russian[2]}-${russian[3]}-${russian[4]}`;
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? tidyLine(phone);
}

/** What the visitor wrote into the phone field, if it says more than the number does; empty otherwise. */
export function phoneAsTyped({ phone, phoneTyped }: Notification['lead']): string {
  const typed = tidyLine(phoneTyped);
  const said = typed.replace(/[^\p{L}\p{N}]/gu, '');
  const digits = phone.replace(/^\+/, '');
  const spellings = [digits, ...(phone.startsWith('+7') ? [`8${digits.slice(1)}`, digits.slice(1)] : [])];
  return spellings.includes(said) ? '' : typed;
}

function phoneFact(phone: string): Fact {
  const value = readablePhone(phone);
  return { label: 'Телефон', value, ...(/^\+\d+$/.test(phone) ? { href: `tel:${phone}` } : {}) };
}

/** Never leads off the site, whatever the page is. */
function pageUrl(page: string, siteUrl: string): string {
  const url = URL.parse(page, siteUrl);
  return url?.origin === new URL(siteUrl).origin ? url.href : siteUrl;
}

function localTime(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('ru-RU', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant));
}

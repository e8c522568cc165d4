import { formatMoment } from '../../lib/format.ts';
import { formatPhone } from '../../lib/phone.ts';
import { shorten, tidyLine } from '../../lib/tidy.ts';
import { billText } from '../../pricing/bill.ts';
import { isDoubtful, type SpamSignal } from '../spam/spam.ts';
import { type Lead, leadTitles } from '../store/lead.ts';
import { pickTexts } from '../store/lead-fields.ts';

/** One line for staff; `href` makes it a link. */
export type Fact = { label: string; value: string; href?: string };

/** In order of need, one line each. The message and the bill fill more lines, and signals become a sentence of doubt. */
export function factsOf(lead: Lead, { url, timeZone }: { url: string; timeZone: string }): Fact[] {
  const { phone, page, receivedAt, attribution } = lead;
  const campaign = Object.entries(attribution).map(([name, value]) => `${name}: ${value}`);
  const values: Partial<Record<keyof Lead, string | null>> = {
    ...pickTexts(lead),
    phone: formatPhone(phone),
    phoneTyped: phoneAsTyped(lead),
    message: null,
    page: url + page,
    receivedAt: formatMoment(receivedAt, timeZone),
    attribution: campaign.join(', '),
  };
  const links: Partial<Record<string, string>> = { phone: `tel:${phone}`, page: url + page };
  return (Object.keys(values) as (keyof Lead)[]).flatMap((name) => {
    const value = values[name];
    return value ? { label: leadTitles[name], value, ...(links[name] && { href: links[name] }) } : [];
  });
}

/** Empty if it says no more than the number. */
function phoneAsTyped({ phone, phoneTyped }: Lead): string {
  const typed = phoneTyped.replace(/[^\p{L}\p{N}]/gu, '');
  const digits = phone.slice(1);
  const spellings = [digits, ...(phone.startsWith('+7') ? [`8${digits.slice(1)}`, digits.slice(1)] : [])];
  return spellings.includes(typed) ? '' : phoneTyped;
}

export function messageLines({ message }: Lead): string[] {
  return message?.split('\n') ?? [];
}

export function calculationLines({ calculation }: Lead): string[] {
  return calculation === null ? [] : billText(calculation).split('\n');
}

/** In UTF-16 units. */
const maxExcerptLength = 200;

/** The start of the message. */
export function excerptOf({ message }: Lead): string {
  return shorten(tidyLine(message ?? ''), maxExcerptLength);
}

/** A colleague has taken it. */
export function isTaken({ state }: Lead): boolean {
  return state === 'taken' || state === 'done';
}

/** What the link of a lead does. */
export function actionOf(lead: Lead): 'Взять' | 'Открыть' {
  return isTaken(lead) ? 'Открыть' : 'Взять';
}

/** Why it may be spam; without personal data. */
export function doubtOf({ state, signals }: Lead): string {
  if (state === 'quarantined') return signalPhrases(signals);
  return isDoubtful(signals) ? 'похоже на спам' : '';
}

export function signalPhrases(signals: readonly SpamSignal[]): string {
  return signals.map((signal) => phrases[signal]).join(', ');
}

const phrases: Readonly<Record<SpamSignal, string>> = {
  honeypot: 'заполнено поле, которого не видно',
  'shared-address': 'много заявок с одного адреса',
  challenge: 'проверка не пройдена',
  'no-origin': 'неизвестно, откуда отправлена',
  'no-form': 'форму никто не открывал',
  time: 'отправлена за секунды',
  link: 'ссылка',
  'many-links': 'много ссылок',
  'link-in-name': 'ссылка в имени',
  markup: 'код страницы',
  probe: 'попытка взлома',
  'off-topic': 'ни слова о нашем деле',
  topic: 'реклама услуг',
  pitch: 'обращение к владельцу сайта',
  'gibberish-name': 'имя из случайных букв',
  'gibberish-message': 'сообщение из случайных букв',
  'premium-phone': 'звонок на этот номер платный',
};

import { localTime, timeOf } from '../../lib/calendar.ts';
import { formatDay, momentOf } from '../../lib/format.ts';
import { formatPhone } from '../../lib/phone.ts';
import { plural } from '../../lib/plural.ts';
import { shorten, tidyLine } from '../../lib/tidy.ts';
import { billText } from '../../pricing/bill.ts';
import { isDoubtful, type SpamSignal } from '../spam/spam.ts';
import { type Lead, leadTitles } from '../store/lead.ts';
import { pickTexts } from '../store/lead-fields.ts';
import type { Notification, Sender } from './channel.ts';

/** One line for staff; `href` makes it a link. */
export type Fact = { label: string; value: string; href?: string };

type Clock = Pick<Sender, 'timeZone'>;

/** Without personal data, for subjects, titles and lock screens. */
export function headline(notifications: readonly Notification[], { timeZone }: Clock): string {
  const [first] = notifications;
  const many = (...forms: [string, string, string]) => `${notifications.length} ${plural(notifications.length, forms)}`;
  if (first === undefined) return '';
  if (first.reason === 'test') return 'Проверка уведомлений: звонить никому не нужно';
  if (first.reason === 'digest') {
    return `В карантине ${many('заявка', 'заявки', 'заявок')} за ${daysOf(notifications, timeZone)}`;
  }
  const { reason, lead, presetTitle } = first;
  const one = `№ ${lead.number}: ${presetTitle}`;
  const several = notifications.length > 1;
  switch (reason) {
    case 'summary':
      return `С утра ${plural(notifications.length, ['ждёт', 'ждут', 'ждут'])} ${many('заявка', 'заявки', 'заявок')}`;
    case 'due':
      return several ? `Пора звонить: ${many('заявка', 'заявки', 'заявок')}` : `Пора звонить по заявке ${one}`;
    case 'reminder':
      if (notifications.every(isTaken)) {
        return several
          ? `Взяты и без итога: ${many('заявка', 'заявки', 'заявок')}`
          : `Чем кончился разговор по заявке ${one}`;
      }
      return several
        ? `${many('заявку', 'заявки', 'заявок')} никто не взял`
        : `Заявку № ${lead.number} никто не взял: ${presetTitle}`;
    default:
      if (several) return many('новая заявка', 'новые заявки', 'новых заявок');
      return `${isDoubtful(lead.signals) ? 'Похоже на спам. ' : ''}Заявка ${one}`;
  }
}

/** It was delivered late, or staff are reminded of its outcome. */
function isTaken({ lead: { state } }: Pick<Notification, 'lead'>): boolean {
  return state === 'taken' || state === 'done';
}

export function appeal(notifications: readonly Notification[]): string {
  const [first] = notifications;
  const several = notifications.length > 1;
  const taken = notifications.every(isTaken);
  switch (first?.reason) {
    case 'test':
      return 'Это проверка, а не заявка: так она выглядела бы. Ничего делать не нужно.';
    case 'digest':
      return 'Похоже на спам, поэтому о них никому не сообщали. Если пишет человек, возьмите заявку и позвоните.';
    case 'summary':
      return 'Где ещё не говорили, возьмите заявку и позвоните. Где говорили, откройте её и отметьте, чем кончилось.';
    case 'due':
      return several
        ? 'По этим заявкам не дозвонились или их вернули. Возьмите их и позвоните.'
        : 'По ней не дозвонились или её вернули. Возьмите заявку и позвоните.';
    case 'reminder':
      if (taken) return 'Откройте и отметьте: поговорили, не дозвонились или заявка не наша. Или напишите заметку.';
      return several
        ? 'Люди ждут звонка. Возьмите заявки и позвоните.'
        : 'Человек ждёт звонка, а заявку никто не взял. Возьмите её и позвоните.';
    default:
      if (taken) return several ? 'Ими уже занялись, звонить не нужно.' : 'Ею уже занялись, звонить не нужно.';
      if (several) return 'Возьмите заявки, чтобы все видели, что они ваши, и позвоните.';
      return isDoubtful(first?.lead.signals ?? [])
        ? 'Может быть, это спам, а может быть, человек: прочитайте, прежде чем звонить.'
        : 'Возьмите заявку, чтобы все видели, что она ваша, и позвоните.';
  }
}

/** Empty for reasons other than `digest`. */
export function releaseCommand(notifications: readonly Notification[]): string {
  const numbers = notifications.flatMap(({ reason, lead }) => (reason === 'digest' ? lead.number : []));
  return numbers.length > 0 ? `leads release ${numbers.join(' ')}` : '';
}

export type Entry = {
  number: number;
  /** Without personal data. */
  about: string;
  /** Spam signals, if they matter; no personal data. */
  doubt: string;
  phone: Fact;
  /** The start of the message. */
  words: string;
  /** The link takes a lead, or opens it. */
  action: 'Взять' | 'Открыть';
  takeUrl: string;
};

/** In UTF-16 units. */
const maxWordsLength = 200;

export function entryOf({ reason, lead, presetTitle, takeUrl }: Omit<Notification, 'deliveryId'>): Entry {
  const { number, phone, message, signals } = lead;
  const doubt = reason === 'digest' ? doubtWords(signals) : isDoubtful(signals) ? 'похоже на спам' : '';
  const words = shorten(tidyLine(message ?? ''), maxWordsLength);
  const action = isTaken({ lead }) ? 'Открыть' : 'Взять';
  return { number, about: presetTitle, doubt, phone: phoneFact(phone), words, action, takeUrl };
}

export function doubtWords(signals: readonly SpamSignal[]): string {
  return signals.map((signal) => signalWords[signal]).join(', ');
}

const signalWords: Readonly<Record<SpamSignal, string>> = {
  honeypot: 'заполнено поле, которого не видно',
  crowd: 'много заявок с одного адреса',
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

/** In order of need, one line each. The message and the bill fill more lines, and signals become a sentence of doubt. */
export function facts({ lead }: Pick<Notification, 'lead'>, { url, timeZone }: Sender): Fact[] {
  const { phone, page, receivedAt, attribution } = lead;
  const campaign = Object.entries(attribution).map(([name, value]) => `${name}: ${value}`);
  const values: Partial<Record<keyof Lead, string | null>> = {
    ...pickTexts(lead),
    phone: formatPhone(phone),
    phoneTyped: phoneAsTyped(lead),
    message: null,
    page: url + page,
    receivedAt: momentOf(receivedAt, timeZone),
    attribution: campaign.join(', '),
  };
  const links: Partial<Record<string, string>> = { phone: `tel:${phone}`, page: url + page };
  return (Object.keys(values) as (keyof Lead)[]).flatMap((name) => {
    const value = values[name];
    return value ? { label: leadTitles[name], value, ...(links[name] && { href: links[name] }) } : [];
  });
}

export function messageLines({ lead }: Pick<Notification, 'lead'>): string[] {
  return lead.message?.split('\n') ?? [];
}

export function calculationLines({ lead }: Pick<Notification, 'lead'>): string[] {
  return lead.calculation === null ? [] : billText(lead.calculation).split('\n');
}

/** Empty if it says no more than the number. */
function phoneAsTyped({ phone, phoneTyped }: Notification['lead']): string {
  const said = phoneTyped.replace(/[^\p{L}\p{N}]/gu, '');
  const digits = phone.slice(1);
  const spellings = [digits, ...(phone.startsWith('+7') ? [`8${digits.slice(1)}`, digits.slice(1)] : [])];
  return spellings.includes(said) ? '' : phoneTyped;
}

function phoneFact(phone: string): Fact {
  return { label: leadTitles.phone, value: formatPhone(phone), href: `tel:${phone}` };
}

/** `20–22 ноября`. */
function daysOf(notifications: readonly Notification[], timeZone: string): string {
  const times = notifications.map(({ lead }) => Date.parse(lead.receivedAt));
  const days = new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', timeZone });
  return days.formatRange(Math.min(...times), Math.max(...times));
}

/** `в 13:05` for today, `пт 20 ноября в 13:05` for another day. */
export function shortMoment(instant: string, now: Date, timeZone: string): string {
  const { date, minutes } = localTime(new Date(instant), timeZone);
  const time = `в ${timeOf(minutes)}`;
  return date === localTime(now, timeZone).date ? time : `${formatDay(date)} ${time}`;
}

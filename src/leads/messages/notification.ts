import { formatPhone } from '../../lib/phone.ts';
import { plural } from '../../lib/plural.ts';
import { shorten } from '../../lib/tidy.ts';
import { isDoubtful } from '../spam/spam.ts';
import type { Reason } from '../store/deliveries.ts';
import type { Lead } from '../store/lead.ts';
import { doubtOf, excerptOf, isTaken } from './lead-facts.ts';

export type Notification = {
  /** The same for every attempt, so that receivers can ignore repeats. */
  deliveryId: string;
  /** `test`: an operator tests the channel. */
  reason: Reason | 'test';
  lead: Lead;
  /** In Russian. */
  presetTitle: string;
  /** Absolute address where the lead is taken. */
  takeUrl: string;
};

export type Sender = {
  name: string;
  /** Absolute, without a trailing slash. */
  url: string;
  /** IANA time zone of the company. */
  timeZone: string;
};

type Clock = Pick<Sender, 'timeZone'>;

/** What the first lead and all leads of a message are. */
type Subject = {
  number: number;
  title: string;
  isDoubtful: boolean;
  /** `2 заявки` */
  count(one: string, few: string, many: string): string;
  /** `ждут` */
  verb(one: string, few: string, many: string): string;
  /** `20–22 ноября` */
  days: string;
};

type Text = { headline(subject: Subject): string; appeal: string };

/** Of one lead, of several, of one or several that all were taken, and of one that may be spam. */
type Texts = { one: Text; several?: Text; oneTaken?: Text; severalTaken?: Text; oneDoubtful?: Text };

const newLead: Text['headline'] = ({ number, title, isDoubtful }) =>
  `${isDoubtful ? 'Похоже на спам. ' : ''}Заявка № ${number}: ${title}`;
const newLeads: Text['headline'] = ({ count }) => count('новая заявка', 'новые заявки', 'новых заявок');
const outcome = 'Откройте и отметьте: поговорили, не дозвонились или заявка не наша. Или напишите заметку.';

/** Headlines have no personal data, as they are subjects, titles and on lock screens. */
const texts: Readonly<Record<Notification['reason'], Texts>> = {
  new: {
    one: { headline: newLead, appeal: 'Возьмите заявку, чтобы все видели, что она ваша, и позвоните.' },
    oneDoubtful: {
      headline: newLead,
      appeal: 'Может быть, это спам, а может быть, человек: прочитайте, прежде чем звонить.',
    },
    oneTaken: { headline: newLead, appeal: 'Ею уже занялись, звонить не нужно.' },
    several: { headline: newLeads, appeal: 'Возьмите заявки, чтобы все видели, что они ваши, и позвоните.' },
    severalTaken: { headline: newLeads, appeal: 'Ими уже занялись, звонить не нужно.' },
  },
  due: {
    one: {
      headline: ({ number, title }) => `Пора звонить по заявке № ${number}: ${title}`,
      appeal: 'По ней не дозвонились или её вернули. Возьмите заявку и позвоните.',
    },
    several: {
      headline: ({ count }) => `Пора звонить: ${count('заявка', 'заявки', 'заявок')}`,
      appeal: 'По этим заявкам не дозвонились или их вернули. Возьмите их и позвоните.',
    },
  },
  reminder: {
    one: {
      headline: ({ number, title }) => `Заявку № ${number} никто не взял: ${title}`,
      appeal: 'Человек ждёт звонка, а заявку никто не взял. Возьмите её и позвоните.',
    },
    oneTaken: {
      headline: ({ number, title }) => `Чем кончился разговор по заявке № ${number}: ${title}`,
      appeal: outcome,
    },
    several: {
      headline: ({ count }) => `${count('заявку', 'заявки', 'заявок')} никто не взял`,
      appeal: 'Люди ждут звонка. Возьмите заявки и позвоните.',
    },
    severalTaken: {
      headline: ({ count }) => `Взяты и без итога: ${count('заявка', 'заявки', 'заявок')}`,
      appeal: outcome,
    },
  },
  morningDigest: {
    one: {
      headline: ({ count, verb }) => `С утра ${verb('ждёт', 'ждут', 'ждут')} ${count('заявка', 'заявки', 'заявок')}`,
      appeal: 'Где ещё не говорили, возьмите заявку и позвоните. Где говорили, откройте её и отметьте, чем кончилось.',
    },
  },
  quarantineDigest: {
    one: {
      headline: ({ count, days }) => `В карантине ${count('заявка', 'заявки', 'заявок')} за ${days}`,
      appeal: 'Похоже на спам, поэтому о них никому не сообщали. Если пишет человек, возьмите заявку и позвоните.',
    },
  },
  test: {
    one: {
      headline: () => 'Проверка уведомлений: звонить никому не нужно',
      appeal: 'Это проверка, а не заявка: так она выглядела бы. Ничего делать не нужно.',
    },
  },
};

export function headline(notifications: readonly Notification[], { timeZone }: Clock): string {
  const [first] = notifications;
  if (first === undefined) return '';
  const verb: Subject['verb'] = (...forms) => plural(notifications.length, forms);
  return textOf(first, notifications).headline({
    number: first.lead.number,
    title: first.presetTitle,
    isDoubtful: isDoubtful(first.lead.signals),
    count: (...forms) => `${notifications.length} ${verb(...forms)}`,
    verb,
    days: daysOf(notifications, timeZone),
  });
}

export function appeal(notifications: readonly Notification[]): string {
  const [first] = notifications;
  return first ? textOf(first, notifications).appeal : '';
}

function textOf({ reason, lead }: Notification, all: readonly Notification[]): Text {
  const { one, several = one, oneTaken = one, severalTaken = several, oneDoubtful = one } = texts[reason];
  const isOne = all.length === 1;
  if (all.every(({ lead }) => isTaken(lead))) return isOne ? oneTaken : severalTaken;
  if (!isOne) return several;
  return isDoubtful(lead.signals) ? oneDoubtful : one;
}

function daysOf(notifications: readonly Notification[], timeZone: string): string {
  const times = notifications.map(({ lead }) => Date.parse(lead.receivedAt));
  const days = new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', timeZone });
  return days.formatRange(Math.min(...times), Math.max(...times));
}

/** Empty except for the digest of quarantine. */
export function releaseCommand(notifications: readonly Notification[]): string {
  const numbers = notifications.flatMap(({ reason, lead }) => (reason === 'quarantineDigest' ? lead.number : []));
  return numbers.length > 0 ? `leads release ${numbers.join(' ')}` : '';
}

type ChatOptions = {
  site: Clock;
  /** Includes the phone number and first words, which the messenger would store. */
  personalData: boolean;
  /** In UTF-16 units. */
  maxTextLength: number;
  /** Begins the line of a lead. */
  label: (lead: Lead) => string;
};

/** Where the text has the label of a lead, or otherwise words to show unchanged. */
type Span = { offset: number; length: number; takeUrl?: string };

type ChatText = { text: string; spans: Span[] };

/** In UTF-16 units, so that `maxJoined` lines fit without the visitor's words. */
const maxPartLength = { title: 32, phone: 24 };
/** Shorter excerpts are left out. */
const minExcerptLength = 8;

/** One line per lead, cut to its share of the message. */
export function chatText(notifications: readonly Notification[], options: ChatOptions): ChatText {
  const { site, personalData, maxTextLength, label } = options;
  const chat: ChatText = { text: `${headline(notifications, site)}\n${appeal(notifications)}`, spans: [] };
  const command = releaseCommand(notifications);
  const release = command && '\nВыпустить из карантина: ';
  const maxLeadLength = Math.floor(
    (maxTextLength - chat.text.length - release.length - command.length) / notifications.length,
  );
  for (const { lead, presetTitle, takeUrl } of notifications) {
    const end = chat.text.length + maxLeadLength;
    chat.text += '\n';
    appendSpan(chat, label(lead), { takeUrl });
    const phone = personalData ? shorten(formatPhone(lead.phone), maxPartLength.phone) : '';
    const parts = [shorten(presetTitle, maxPartLength.title), phone, doubtOf(lead)].filter((part) => part !== '');
    chat.text += shorten(`: ${parts.join(', ')}`, end - chat.text.length);
    const left = end - chat.text.length - ': '.length;
    const excerpt = excerptOf(lead);
    if (!personalData || excerpt === '' || left < minExcerptLength) continue;
    chat.text += ': ';
    appendSpan(chat, shorten(excerpt, left));
  }
  chat.text += release;
  if (command) appendSpan(chat, command);
  return chat;
}

function appendSpan(chat: ChatText, text: string, more: Pick<Span, 'takeUrl'> = {}): void {
  chat.spans.push({ offset: chat.text.length, length: text.length, ...more });
  chat.text += text;
}

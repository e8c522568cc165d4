import { shorten } from '../../lib/tidy.ts';
import type { Notification, Sender } from './channel.ts';
import { appeal, type Entry, entryOf, headline, releaseCommand } from './lead-words.ts';

type ChatOptions = {
  site: Pick<Sender, 'timeZone'>;
  /** Includes the phone number and first words, which the messenger would store. */
  personalData: boolean;
  /** In UTF-16 units. */
  maxTextLength: number;
  /** Begins the line of a lead. */
  label: (entry: Entry) => string;
};

/** Where the text has the label of a lead, or otherwise words to show unchanged. */
type Mark = { offset: number; length: number; takeUrl?: string };

type ChatText = { text: string; marks: Mark[] };

/** In UTF-16 units, so that `maxJoined` lines fit without the visitor's words. */
const maxPartLength = { about: 32, phone: 24 };
/** Shorter excerpts are left out. */
const minWordsLength = 8;

/** One line per lead, cut to its share of the message. */
export function chatText(notifications: readonly Notification[], options: ChatOptions): ChatText {
  const { site, personalData, maxTextLength, label } = options;
  const message: ChatText = { text: `${headline(notifications, site)}\n${appeal(notifications)}`, marks: [] };
  const command = releaseCommand(notifications);
  const release = command && '\nВыпустить из карантина: ';
  const maxLeadLength = Math.floor(
    (maxTextLength - message.text.length - release.length - command.length) / notifications.length,
  );
  for (const entry of notifications.map(entryOf)) {
    const { about, phone, doubt, words, takeUrl } = entry;
    const end = message.text.length + maxLeadLength;
    message.text += '\n';
    mark(message, label(entry), { takeUrl });
    const phonePart = personalData ? shorten(phone.value, maxPartLength.phone) : '';
    const parts = [shorten(about, maxPartLength.about), phonePart, doubt].filter((part) => part !== '');
    message.text += shorten(`: ${parts.join(', ')}`, end - message.text.length);
    const left = end - message.text.length - ': '.length;
    if (!personalData || words === '' || left < minWordsLength) continue;
    message.text += ': ';
    mark(message, shorten(words, left));
  }
  message.text += release;
  if (command) mark(message, command);
  return message;
}

function mark(message: ChatText, words: string, more: Pick<Mark, 'takeUrl'> = {}): void {
  message.marks.push({ offset: message.text.length, length: words.length, ...more });
  message.text += words;
}

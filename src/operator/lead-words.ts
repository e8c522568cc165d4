import type { Sender } from '../leads/channels/channel.ts';
import { channelWords } from '../leads/channels/configured.ts';
import { type Fact, facts, messageLines, momentOf } from '../leads/channels/wording.ts';
import type { Lead } from '../leads/store/lead.ts';
import type { Content } from '../model/content.ts';
import { presetTitle } from '../model/preset-title.ts';
import { callTime } from '../model/working-hours.ts';

/** What staff are shown of a lead. */
export type LeadWords = {
  number: number;
  presetTitle: string;
  /** Who is to be called, and what is known; `href` is where a press leads. */
  facts: readonly Fact[];
  /** Lines of what the visitor wrote. */
  message: readonly string[];
  /** What the calculator made of their order. */
  calculation: Lead['calculation'];
  /** When the visitor was told that the call comes. */
  promised: string;
  /** By whom and when the lead was taken, as a sentence; without it, it waits to be taken. */
  taken: string | undefined;
};

export function leadWords(lead: Lead, content: Content, siteUrl: string): LeadWords {
  const { workingHours } = content.company;
  const place = senderOf(content, siteUrl);
  return {
    number: lead.number,
    presetTitle: presetTitle(content, lead.preset),
    facts: facts({ lead }, place),
    message: messageLines({ lead }),
    calculation: lead.calculation,
    promised: callTime(workingHours, new Date(lead.receivedAt)),
    taken: takenWords(lead, place),
  };
}

/** Who has a lead, and since when, as a sentence; `undefined` while nobody has. */
export function takenWords({ takenAt, takenBy }: Lead, { timeZone }: Sender): string | undefined {
  if (takenAt === null) return undefined;
  return `Заявку взяли ${momentOf(takenAt, timeZone)}${takerWords(takenBy)}.`;
}

/** Who has taken a lead, as a sentence about that ends: `: Анна`, ` по ссылке из письма на sales@example.ru`. */
export function takerWords(takenBy: string | null): string {
  return `${takenBy?.startsWith('desk:') ? ':' : ''} ${takerOf(takenBy)}`;
}

/** Who has taken a lead, or by what: `Анна`, `по ссылке из письма на sales@example.ru`. */
export function takerOf(takenBy: string | null): string {
  const [kind = '', whom] = (takenBy ?? '').split(':');
  if (kind === 'desk') return `${whom}`;
  return `${channelWords(kind).taken}${whom === undefined ? '' : ` на ${whom}`}`;
}

function senderOf({ company: { name, workingHours } }: Content, url: string): Sender {
  return { name, url, timeZone: workingHours.timeZone };
}

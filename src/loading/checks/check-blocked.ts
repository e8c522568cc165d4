import { inlinesIn } from '../../model/prose.ts';
import { guillemets, type Problem } from '../problem.ts';
import { leavesIn } from '../schema-parts.ts';
import { problemAt, type Source, textsOf } from '../source.ts';
import type { Path } from '../yaml.ts';
import type { CheckInput } from './rule.ts';

/** By host, with its subdomains, or by scheme. Telegram is only slow. */
const blocked: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'wa.me': 'WhatsApp',
    'whatsapp.com': 'WhatsApp',
    'whatsapp:': 'WhatsApp',
    'viber.com': 'Viber',
    'viber:': 'Viber',
    'signal.me': 'Signal',
    'signal.group': 'Signal',
    'discord.gg': 'Discord',
    'discord.com': 'Discord',
    'facebook.com': 'Facebook',
    'fb.com': 'Facebook',
    'fb.me': 'Facebook',
    'm.me': 'Facebook Messenger',
    'instagram.com': 'Instagram',
    'threads.com': 'Threads',
    'threads.net': 'Threads',
    'x.com': 'X',
    'twitter.com': 'X',
    't.co': 'X',
    'linkedin.com': 'LinkedIn',
    'snapchat.com': 'Snapchat',
  }),
);

/** Services that do not open in Russia. */
export function* checkBlocked({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of Object.values(sources).flat()) {
    for (const { href, place } of linksAway(source)) {
      const service = serviceOf(href);
      if (service === undefined) continue;
      const message = `${service} в России заблокирован, и ссылка ${guillemets(href)} у посетителей не откроется. Дайте другую: в MAX, Telegram, ВКонтакте или на телефон.`;
      yield problemAt(source, place, message, { warning: true });
    }
  }
}

/** In texts, and in fields such as the contacts of the company. */
function linksAway(source: Source<unknown>): { href: string; place: Path | number }[] {
  const inTexts = textsOf(source).flatMap(({ text, lineAt }) =>
    inlinesIn(text.blocks, 'link').map(({ href, line }) => ({ href, place: lineAt(line) })),
  );
  const inFields = leavesIn(source.value).map(({ path, value }) => ({ href: String(value), place: path }));
  return [...inTexts, ...inFields];
}

function serviceOf(href: string): string | undefined {
  const url = /\s/.test(href) ? null : URL.parse(href);
  if (url === null) return undefined;
  const domains = url.hostname.split('.').map((_, index, labels) => labels.slice(index).join('.'));
  return [url.protocol, ...domains].map((name) => blocked.get(name)).find((service) => service !== undefined);
}

import { localTime } from '../lib/calendar.ts';
import { decoded } from '../lib/decoded.ts';
import { kindOf } from '../loading/kinds.ts';
import { waitsFor } from '../loading/load-content.ts';
import { guillemets, type Problem } from '../loading/problem.ts';
import { markedIn } from '../loading/schema-parts.ts';
import { problemAt, type Source, textsOf } from '../loading/source.ts';
import type { ReadContent } from '../loading/sources.ts';
import { isReserved } from '../model/addresses.ts';
import type { Content } from '../model/content.ts';
import { inlinesIn } from '../model/prose.ts';

/** Base for parsing relative URLs. */
const placeholder = 'http://site.invalid';

const knownScheme = /^(?:https?|mailto|tel|tg|viber|whatsapp):/i;
const anyScheme = /^[a-z][a-z\d+.-]*:/i;
const ownMachine = /^https?:\/\/(?:localhost|127\.)/i;

/** One or several, with a subject or without. */
const mailAddresses = /^mailto:[^\s@,?]+@[^\s@,?]+\.[^\s@,?.]+(?:,[^\s@,?]+@[^\s@,?]+\.[^\s@,?.]+)*(?:\?|$)/i;

type Targets = {
  /** Absolute; visitors come by it with `www.` and without, by http and https. */
  siteUrl: string;
  has(path: string): boolean;
  /** @param later a day, or `drafts` for all that may come out some day */
  willHave(path: string, later: string): boolean;
  /** Pages of the site that exist only with a text, or with an entry. */
  mayHave(path: string): boolean;
  hasAnchor(path: string, id: string): boolean;
  /** Whether all pages that link to this part of themselves have it. */
  hasOwnAnchor(id: string): boolean;
  /** Files that are no pages. */
  hasFilesIn(folder: string): boolean;
};

export function linkProblems({ sources }: ReadContent, content: Content, targets: Targets): Problem[] {
  const { presets, company } = content;
  const today = localTime(new Date(content.at), company.workingHours.timeZone).date;

  const hasForm = (preset: string | null) => preset === null || presets.some(({ slug }) => slug === preset);

  function leadsSomewhere(href: string, later: string | undefined): boolean {
    if (knownScheme.test(href)) return leadsAway(href);
    if (href.startsWith('#')) return targets.hasOwnAnchor(decoded(href.slice(1)) ?? href);
    const url = href.startsWith('/') ? URL.parse(href, placeholder) : null;
    if (url?.origin !== placeholder) return false;
    const { pathname, searchParams, hash } = url;
    if (pathname === '/broadcast') return company.broadcast !== undefined;
    if (pathname === '/contact') return hasForm(searchParams.get('preset'));
    if (!targets.has(pathname)) return later !== undefined && targets.willHave(pathname, later);
    const id = hash.slice(1);
    return id === '' || targets.hasAnchor(pathname, decoded(id) ?? id);
  }

  const broken = Object.values(sources)
    .flat()
    .flatMap((source: Source<unknown>) => {
      const later = waitsFor(source.value, today);
      return (
        linksIn(source)
          .map(({ href, line }) => ({ href: withoutOwnOrigin(href, targets.siteUrl), line }))
          // Menus leave out what does not exist.
          .filter(({ href }) => !(kindOf(source.file) === 'navigation' && targets.mayHave(href)))
          .filter(({ href }) => !leadsSomewhere(href, later))
          .map(({ href, line }) => problemAt(source, line(), brokenLink(href, content, targets)))
      );
    });
  const redirected = sources.redirects.flatMap((source) =>
    source.value.flatMap(({ from }, index) => {
      const taken = takenBy(from, targets);
      if (taken === undefined) return [];
      return [problemAt(source, [index, 'from'], `${taken}. Сотрите эту строку или смените адрес.`)];
    }),
  );
  return [...broken, ...redirected];
}

function leadsAway(href: string): boolean {
  if (/^mailto:/i.test(href)) return mailAddresses.test(decoded(href) ?? href);
  return !ownMachine.test(href);
}

function withoutOwnOrigin(href: string, siteUrl: string): string {
  const url = /^https?:/i.test(href) ? URL.parse(href) : null;
  const name = (host: string) => host.replace(/^www\./, '');
  // On the machine of an editor, the address of the site is not known.
  if (url === null || ownMachine.test(siteUrl) || name(url.host) !== name(new URL(siteUrl).host)) return href;
  return url.pathname + url.search + url.hash;
}

function takenBy(from: string, { has, hasFilesIn }: Targets): string | undefined {
  const path = from.replace(/\?.*/, '');
  if (isReserved(path)) return `По адресу ${guillemets(from)} сайт отвечает сам`;
  if (has(path)) return `По адресу ${guillemets(from)} уже есть страница`;
  const folder = path.replace(/\/\*$/, '');
  if (folder !== path && hasFilesIn(folder)) return `Среди адресов ${guillemets(from)} лежат файлы самого сайта`;
  return undefined;
}

function linksIn(source: Source<unknown>): { href: string; line(): number }[] {
  const written = textsOf(source).flatMap(({ text, lineAt }) =>
    inlinesIn(text.blocks, 'link').map(({ href, line }) => ({ href, line: () => lineAt(line) })),
  );
  const fields = markedIn(source.schema, source.value).flatMap(({ path, value, mark }) =>
    'leads' in mark ? [{ href: String(value), line: () => source.lineOf(path) }] : [],
  );
  return [...written, ...fields];
}

function brokenLink(href: string, { redirects }: Content, { has, willHave, mayHave }: Targets): string {
  const path = href.replace(/[?#].*$/, '');
  const moved = redirects.find(({ from }) => from === path);
  if (moved) return `${guillemets(href)} переехал. Сошлитесь сразу на ${moved.to}.`;
  const link = `Ссылка ${guillemets(href)} никуда не ведёт`;
  if (ownMachine.test(href)) return `${link}: этот адрес есть только на вашей машине. Начните его с косой черты.`;
  if (/^www\.|^[\p{L}\d-]+\.(ru|com|рф)(\/|$)/u.test(href))
    return `${link}. Адрес другого сайта начинается с https://.`;
  if (/^mailto:/i.test(href)) return `${link}: после mailto: нужен адрес почты, например info@example.ru.`;
  const [scheme] = anyScheme.exec(href) ?? [];
  if (scheme)
    return `${link}: браузер не знает, что такое ${guillemets(scheme)}. Начните его с https://, mailto: или tel:.`;
  const part = guillemets(decoded(href.replace(/^[^#]*#/, '')) ?? '');
  if (path === '') return `На этой странице нет части ${part}. Откройте её и скопируйте адрес нужного заголовка.`;
  if (!href.startsWith('/')) return `${link}. Адрес на этом сайте начинается с косой черты: /rates.`;
  if (path.endsWith('.md')) return `${link}. Сошлитесь на адрес страницы, а не на файл: без .md.`;
  if (!has(path) && willHave(path, 'drafts')) {
    return `${link}: та страница выйдет позже, или она черновик. Уберите ссылку или поменяйте дни.`;
  }
  if (!has(path) && mayHave(path))
    return `${link}: страницы ${path} на сайте нет, пока нет её текста в папке pages и хотя бы одной записи. Уберите ссылку.`;
  if (!has(path)) return `${link}: такой страницы нет. Скопируйте адрес из браузера, без названия сайта.`;
  return `На странице ${path} нет части ${part}. Откройте её и скопируйте адрес нужного заголовка.`;
}

import { formatPrice } from '../design/format.ts';
import { articlePath, casePath, newsPath } from '../model/addresses.ts';
import { type Content, type Departure, legalNames, type RateGroup, wordsOf } from '../model/content.ts';
import type { Prose } from '../model/prose.ts';

export type Kind = 'service' | 'rates' | 'departures' | 'section' | 'question' | 'case' | 'article' | 'news' | 'legal';

/** A page, or an anchor of one. */
export type SearchDocument = {
  path: string;
  kind: Kind;
  title: string;
  /** Alternative title. */
  name?: string;
  summary: string;
  parts: readonly (string | Prose)[];
};

export function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?…:;]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

export function textOf({ parts }: SearchDocument): string {
  return sentences(parts.map((part) => (typeof part === 'string' ? part : part.text)));
}

/** Documents with equal scores keep this order. */
export function searchDocuments(content: Content): SearchDocument[] {
  const { services, rates, departures, cases, articles, news, questions, categories, sections, legal } = content;
  return [
    ...services.map((one): SearchDocument => {
      const { to, text, heading, subheading, description, body } = one;
      return {
        path: to,
        kind: 'service',
        title: heading,
        name: text,
        summary: description,
        parts: [
          ...[subheading, body, ...one.included, ...one.excluded, ...one.audience, ...one.preparation, ...one.limits],
          ...[one.minimum, one.term, one.responsibility],
          ...one.steps.flatMap((step) => [step.title, step.text]),
          ...one.questions.flatMap(({ question, answer }) => [question, answer]),
        ],
      };
    }),
    ...rates.groups.map((group): SearchDocument => {
      const title = `Тарифы: ${group.title}`;
      return { path: `/rates#${group.id}`, kind: 'rates', title, summary: group.note ?? '', parts: prices(group) };
    }),
    ...services.flatMap(({ to, text }): SearchDocument[] => {
      const own = departures.filter(({ service }) => service === to);
      const title = `Ближайшие рейсы: ${text}`;
      const summary = 'До какого часа сдать груз и когда его разгрузят.';
      if (own.length === 0) return [];
      return [{ path: `${to}#departures`, kind: 'departures', title, summary, parts: runs(own) }];
    }),
    ...sections.map(({ name, to: path }): SearchDocument => {
      const { heading, description, lead, body } = wordsOf(content, name);
      const facts = name === 'contacts' ? contactFacts(content) : [];
      return { path, kind: 'section', title: heading, summary: description, parts: [lead, ...facts, body] };
    }),
    ...[
      ...categories.blog.map((one) => ({ ...one, path: `/blog/${one.slug}` })),
      ...categories.reviews.map((one) => ({ ...one, path: `/reviews/${one.slug}` })),
    ].map(({ path, heading, description, lead }): SearchDocument => {
      return { path, kind: 'section', title: heading, summary: description, parts: [lead] };
    }),
    ...questions.map(({ slug, topic, question, answer }): SearchDocument => {
      return { path: `/questions#${slug}`, kind: 'question', title: question, summary: topic, parts: [answer] };
    }),
    ...cases.map((one): SearchDocument => {
      const results = one.results.map(({ metric, before, after }) => `${metric}: ${before} → ${after}`);
      const { niche, task, start, body, volume, period, limits, marketplaces } = one;
      const parts = [niche, task, start, body, ...results, volume, period, limits, marketplaces.join(', ')];
      return { path: casePath(one), kind: 'case', title: one.heading, summary: one.description, parts };
    }),
    ...articles.map((one): SearchDocument => {
      const { heading, summary, author, body } = one;
      return { path: articlePath(one), kind: 'article', title: heading, summary, parts: [body, author] };
    }),
    ...news.map((one): SearchDocument => {
      const { heading, description, action, body } = one;
      return { path: newsPath(one), kind: 'news', title: heading, summary: description, parts: [action, body] };
    }),
    ...legalNames.map((name): SearchDocument => {
      const { heading, description, body } = legal[name];
      return { path: `/${name}`, kind: 'legal', title: heading, summary: description, parts: [body] };
    }),
  ];
}

function prices({ rows }: RateGroup): string[] {
  return rows.flatMap(({ text, unit, tiers, note = '' }) => {
    const from = Math.min(...tiers.map(({ price }) => price));
    return [`${text}, от\u00A0${formatPrice(from)} / ${unit}`, note];
  });
}

function runs(departures: readonly Departure[]): string[] {
  return departures.map(({ warehouse, city = '', marketplaces, limit }) => {
    const place = [warehouse, city].filter((name, at, all) => name !== '' && all.indexOf(name) === at).join(', ');
    return `${place} (${marketplaces.join(', ')}). ${limit}`;
  });
}

function contactFacts({ company }: Content): string[] {
  const { tollFree, phone, email, address, workingHours, legalName, inn } = company;
  return [
    `Телефон ${tollFree.text}, ${phone.text}`,
    `Почта ${email}`,
    `Адрес: ${address.locality}, ${address.street}`,
    `Часы работы: ${workingHours.text}`,
    `${legalName}, ИНН ${inn}`,
  ];
}

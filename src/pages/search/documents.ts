import { formatCount, formatPrice } from '../../lib/format.ts';
import {
  type Category,
  type Content,
  type Departure,
  hasPage,
  legalNames,
  pageText,
  type RateGroup,
  type Rates,
} from '../../model/content.ts';
import { categoriesOf } from '../../model/list-categories.ts';
import { type PagedKindName, postKindNames, postKinds, postPages } from '../../model/post-kinds.ts';
import type { Prose } from '../../model/prose.ts';
import { batchPrice } from '../../pricing/main-prices.ts';

type DocumentKind = { label: string; boost: number };

const otherKinds = {
  service: { label: 'Услуга', boost: 1.5 },
  section: { label: 'Раздел', boost: 1.2 },
  list: { label: 'Раздел', boost: 0.8 },
  rates: { label: 'Цены', boost: 1.1 },
  question: { label: 'Вопрос и ответ', boost: 1 },
  legal: { label: 'Документ', boost: 0.6 },
} satisfies Record<string, DocumentKind>;

/** Boosts: for «упаковка» the service should rank above an article that mentions it. */
export const documentKinds: Readonly<Record<keyof typeof otherKinds | PagedKindName, DocumentKind>> = {
  ...postKinds,
  ...otherKinds,
};

export type DocumentKindName = keyof typeof documentKinds;

/** A page, or an anchor in one. */
export type SearchDocument = {
  path: string;
  kind: DocumentKindName;
  title: string;
  summary: string;
  parts: readonly (string | Prose)[];
};

export function joinSentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?…:;]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

export function documentText({ parts }: SearchDocument): string {
  return joinSentences(parts.map((part) => (typeof part === 'string' ? part : part.text)));
}

export function searchDocuments(content: Content): SearchDocument[] {
  return [
    ...serviceDocuments(content),
    ...(hasPage(content, 'rates') ? rateDocuments(content) : []),
    ...sectionDocuments(content),
    ...content.questions.map(({ slug, topic, question, answer }): SearchDocument => {
      return { path: `/questions#${slug}`, kind: 'question', title: question, summary: topic, parts: [answer] };
    }),
    ...postPages(content).map(({ name, kind, path, post }): SearchDocument => {
      return { path, kind: name, title: post.heading, summary: kind.summary(post), parts: kind.texts(post) };
    }),
    ...legalNames.map((name): SearchDocument => {
      const { heading, description, body } = content.legal[name];
      return { path: `/${name}`, kind: 'legal', title: heading, summary: description, parts: [body] };
    }),
  ];
}

function serviceDocuments({ services, departures }: Content): SearchDocument[] {
  return services.map((service) => {
    const { to, text, heading, subheading, description, body, minimum, term, responsibility } = service;
    const { included, excluded, audience, preparation, limits, steps, questions } = service;
    const parts = [
      ...[text, subheading, body, ...included, ...excluded, ...audience, ...preparation, ...limits],
      ...[minimum, term, responsibility],
      ...steps.flatMap((step) => [step.title, step.text]),
      ...questions.flatMap(({ question, answer }) => [question, answer]),
      ...departures.filter((departure) => departure.service === to).map(departureText),
    ];
    return { path: to, kind: 'service', title: heading, summary: description, parts };
  });
}

function departureText({ warehouse, city = warehouse, limit }: Departure): string {
  return `Рейс: ${warehouse}, ${city}. ${limit}`;
}

function rateDocuments({ rates }: Content): SearchDocument[] {
  return rates.groups.map((group) => ({
    path: `/rates#${group.id}`,
    kind: 'rates',
    title: `Тарифы: ${group.title}`,
    summary: group.note ?? '',
    parts: prices(rates, group),
  }));
}

function prices(rates: Rates, { rows }: RateGroup): string[] {
  return rows.flatMap((row) => {
    const { price, unit, batch } = batchPrice(rates, row);
    const when = batch === undefined ? '' : ` при\u00A0${formatCount(batch)}`;
    return [`${row.text}, ${formatPrice(price)} / ${unit}${when}`, row.note ?? ''];
  });
}

function sectionDocuments(content: Content): SearchDocument[] {
  const sections = content.sections.map(({ name, to }) => {
    const words = pageText(content, name);
    const facts = name === 'contacts' ? contactFacts(content) : [];
    return { ...words, kind: 'section' as const, path: to, parts: [words.lead, ...facts, words.body] };
  });
  const listAt = (path: string) => (category: Category) => {
    return { ...category, kind: 'list' as const, path: `${path}/${category.slug}`, parts: [category.lead] };
  };
  const lists = postKindNames.flatMap((name) => categoriesOf(content, name).map(listAt(postKinds[name].list.to)));
  return [...sections, ...lists].map(({ path, kind, heading, description, parts }) => {
    return { path, kind, title: heading, summary: description, parts };
  });
}

function contactFacts({ company }: Content): string[] {
  const { tollFree, phone, email, address, workingHours, legalName, inn } = company;
  return [
    `Телефон ${[tollFree, phone].flatMap((one) => one?.text ?? []).join(', ')}`,
    `Почта ${email}`,
    `Адрес: ${address.locality}, ${address.street}`,
    `Часы работы: ${workingHours.text}`,
    `${legalName}, ИНН ${inn}`,
  ];
}

import { formatCount, formatPrice } from '../../lib/format.ts';
import {
  type Content,
  type Departure,
  hasPage,
  legalNames,
  type PageText,
  pageText,
  type RateGroup,
  type Rates,
  type Service,
} from '../../model/content.ts';
import { categoriesOf } from '../../model/list-categories.ts';
import { type PagedKindName, type PostKindName, postKindNames, postKinds, postPages } from '../../model/post-kinds.ts';
import type { Prose } from '../../model/prose.ts';
import { batchPrice } from '../../pricing/main-prices.ts';

type DocumentType = { label: string; boost: number };

const otherTypes = {
  service: { label: 'Услуга', boost: 1.5 },
  section: { label: 'Раздел', boost: 1.2 },
  list: { label: 'Раздел', boost: 0.8 },
  rates: { label: 'Цены', boost: 1.1 },
  question: { label: 'Вопрос и ответ', boost: 1 },
  legal: { label: 'Документ', boost: 0.6 },
} satisfies Record<string, DocumentType>;

/** Boosts: for «упаковка» the service should rank above an article that mentions it. */
export const documentTypes: Readonly<Record<keyof typeof otherTypes | PagedKindName, DocumentType>> = {
  ...postKinds,
  ...otherTypes,
};

export type DocumentTypeName = keyof typeof documentTypes;

/** A page, or an anchor in one. */
export type SearchDocument = {
  path: string;
  documentType: DocumentTypeName;
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
    ...content.services.map((service) => documentOf('service', service.to, service, serviceParts(content, service))),
    ...(hasPage(content, 'rates') ? rateDocuments(content) : []),
    ...content.sections.map(({ name, to }) =>
      documentOf('section', to, pageText(content, name), sectionParts(content, name)),
    ),
    ...postKindNames.flatMap((name) => listDocuments(content, name)),
    ...content.questions.map(({ slug, topic, question, answer }): SearchDocument => {
      return { path: `/questions#${slug}`, documentType: 'question', title: question, summary: topic, parts: [answer] };
    }),
    ...postPages(content).map(({ name, kind, path, post }): SearchDocument => {
      return { path, documentType: name, title: post.heading, summary: kind.summary(post), parts: kind.texts(post) };
    }),
    ...legalNames.map((name) => documentOf('legal', `/${name}`, content.legal[name], [content.legal[name].body])),
  ];
}

function documentOf(
  documentType: DocumentTypeName,
  path: string,
  { heading, description }: Pick<PageText, 'heading' | 'description'>,
  parts: SearchDocument['parts'],
): SearchDocument {
  return { path, documentType, title: heading, summary: description, parts };
}

function serviceParts({ departures }: Content, service: Service): SearchDocument['parts'] {
  const { to, text, subheading, body, minimum, term, responsibility } = service;
  const { included, excluded, audience, preparation, limits, steps, questions } = service;
  return [
    ...[text, subheading, body, ...included, ...excluded, ...audience, ...preparation, ...limits],
    ...[minimum, term, responsibility],
    ...steps.flatMap((step) => [step.title, step.text]),
    ...questions.flatMap(({ question, answer }) => [question, answer]),
    ...departures.filter((departure) => departure.service === to).map(departureText),
  ];
}

function departureText({ warehouse, city = warehouse, limit }: Departure): string {
  return `Рейс: ${warehouse}, ${city}. ${limit}`;
}

function rateDocuments({ rates }: Content): SearchDocument[] {
  return rates.groups.map((group) => ({
    path: `/rates#${group.id}`,
    documentType: 'rates',
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

function sectionParts(content: Content, name: string): SearchDocument['parts'] {
  const { lead, body } = pageText(content, name);
  return [lead, ...(name === 'contacts' ? contactFacts(content) : []), body];
}

function listDocuments(content: Content, name: PostKindName): SearchDocument[] {
  const { to } = postKinds[name].list;
  return categoriesOf(content, name).map((category) => {
    return documentOf('list', `${to}/${category.slug}`, category, [category.lead]);
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

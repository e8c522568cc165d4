import type { z } from 'zod';
import type { Illustration } from './illustration.ts';
import type { Integrations } from './integrations.ts';
import type { Prose } from './prose.ts';
import type * as schema from './schema.ts';

export type Company = z.output<typeof schema.companySchema>;
export type Navigation = z.output<typeof schema.navigationSchema>;
export type Rates = z.output<typeof schema.ratesSchema>;
export type RateGroup = Rates['groups'][number];
export type Rate = RateGroup['rows'][number];
export type Calculator = z.output<typeof schema.calculatorSchema> & { warehouses: readonly Warehouse[] };
type Warehouse = { id: string; text: string; marketplaces: readonly string[]; rates: PriceOfPlace };
/** Rate ids. */
type PriceOfPlace = Readonly<Record<'box' | 'pallet', string>>;
export type Departure = z.output<typeof schema.departuresSchema>[number];
export type Category = z.output<typeof schema.categorySchema>;
export type Preset = z.output<typeof schema.presetsSchema>[number];
type SearchWords = z.output<typeof schema.searchSchema>;
export type Redirect = z.output<typeof schema.redirectsSchema>[number];
export type { CalloutWords } from './schema.ts';

type Home = z.output<typeof schema.homeSchema>;

export type Shown<T> = T extends schema.Picture
  ? Illustration
  : T extends (infer Item)[]
    ? Shown<Item>[]
    : T extends object
      ? { [Key in keyof T]: Shown<T[Key]> }
      : T;

type Written<S extends z.ZodType> = Shown<z.output<S>> & { slug: string; body: Prose };

/** Set in previews only. */
export type Unpublished = { unpublished?: 'draft' | 'scheduled' };

export function out<T extends Unpublished>(all: readonly T[]): T[] {
  return all.filter(({ unpublished }) => unpublished === undefined);
}

type Released<S extends z.ZodType> = Omit<Written<S>, 'draft'> & Unpublished;

export type Service = Released<typeof schema.serviceSchema> & { to: string };
export type CaseStudy = Released<typeof schema.caseSchema>;
export type Review = Released<typeof schema.reviewSchema>;
export type Article = Released<typeof schema.articleSchema> & { category: string };
export type NewsItem = Released<typeof schema.newsSchema>;
export type LegalDocument = Written<typeof schema.legalSchema>;
export type PageText = Released<typeof schema.pageTextSchema>;
export type Question = Omit<z.output<typeof schema.questionsSchema>[number], 'answer'> & { answer: Prose };

export type Section = { name: string; to: string };

export const legalNames = ['policy', 'useragree', 'consent'] as const;
export type LegalName = (typeof legalNames)[number];

export type Content = {
  /** The moment this content is for, ISO 8601 in UTC; a new site replaces it when a date changes. */
  at: string;
  integrations: Integrations;
  company: Company;
  /** Shown until the map loads. */
  mapDrawing: string;
  navigation: Navigation;
  home: Home;
  /** Use `wordsOf`. */
  pages: Readonly<Record<string, PageText>>;
  sections: readonly Section[];
  services: readonly Service[];
  rates: Rates;
  calculator: Calculator;
  departures: readonly Departure[];
  /** Newest first, like reviews, articles and news. */
  cases: readonly CaseStudy[];
  reviews: readonly Review[];
  articles: readonly Article[];
  news: readonly NewsItem[];
  categories: { blog: readonly Category[]; reviews: readonly Category[] };
  questions: readonly Question[];
  legal: Readonly<Record<LegalName, LegalDocument>>;
  presets: readonly Preset[];
  redirects: readonly Redirect[];
  search: SearchWords;
};

/** @throws if there is none, which loading rules out */
export function wordsOf({ pages }: Pick<Content, 'pages'>, name: string): PageText {
  const words = pages[name];
  if (words === undefined) throw new Error(`The content has no words for the page "${name}": pages/${name}.md.`);
  return words;
}

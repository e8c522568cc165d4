import type { z } from 'zod';
import type { Illustration } from './illustration.ts';
import type { Integrations } from './integrations.ts';
import type { Prose } from './prose.ts';
import type * as schema from './schema.ts';

/* Everything the site says, as one value: read once and immutable. Its texts are rendered when somebody asks for them. */

export type Company = z.output<typeof schema.companySchema>;
export type Navigation = z.output<typeof schema.navigationSchema>;
export type Rates = z.output<typeof schema.ratesSchema>;
export type RateGroup = Rates['groups'][number];
export type Rate = RateGroup['rows'][number];
export type Calculator = z.output<typeof schema.calculatorSchema> & { warehouses: readonly Warehouse[] };
/** Where the calculator can send goods: a departure that has prices of both. */
export type Warehouse = { id: string; text: string; marketplaces: readonly string[]; rates: PriceOfPlace };
/** A row of the rates for each kind of place that goods travel in. */
type PriceOfPlace = Readonly<Record<'box' | 'pallet', string>>;
export type Departure = z.output<typeof schema.departuresSchema>[number];
export type Category = z.output<typeof schema.categorySchema>;
export type Preset = z.output<typeof schema.presetsSchema>[number];
export type SearchWords = z.output<typeof schema.searchSchema>;
export type Redirect = z.output<typeof schema.redirectsSchema>[number];
export type { CalloutWords } from './schema.ts';
export type Home = z.output<typeof schema.homeSchema>;

/** What editors wrote, with its pictures as pages show them. */
export type Shown<T> = T extends schema.Picture
  ? Illustration
  : T extends (infer Item)[]
    ? Shown<Item>[]
    : T extends object
      ? { [Key in keyof T]: Shown<T[Key]> }
      : T;

type Written<S extends z.ZodType> = Shown<z.output<S>> & { slug: string; body: Prose };

/** Why visitors do not see a page yet: it is a draft, or its day has not come. Only previews have such pages. */
export type Unpublished = { unpublished?: 'draft' | 'scheduled' };

/** Those that visitors see. */
export function out<T extends Unpublished>(all: readonly T[]): T[] {
  return all.filter(({ unpublished }) => unpublished === undefined);
}

type Released<S extends z.ZodType> = Omit<Written<S>, 'draft'> & Unpublished;

export type Service = Released<typeof schema.serviceSchema>;
export type CaseStudy = Released<typeof schema.caseSchema>;
export type Review = Released<typeof schema.reviewSchema>;
export type Article = Released<typeof schema.articleSchema> & { category: string };
export type NewsItem = Released<typeof schema.newsSchema>;
export type LegalDocument = Written<typeof schema.legalSchema>;
export type PageText = Released<typeof schema.pageTextSchema>;
export type Question = Omit<z.output<typeof schema.questionsSchema>[number], 'answer'> & { answer: Prose };

/** A page whose words lie in `pages/{name}.md`. */
export type Section = { name: string; to: string };

export const legalNames = ['policy', 'useragree', 'consent'] as const;
export type LegalName = (typeof legalNames)[number];

/** The preset that a link opens which names none, and the form that comes back when nothing of a request can be read. */
export const generalPreset = 'request';

export type Content = {
  /**
   * The moment from which the pages hold, ISO 8601 in UTC: what depends on the day is worked out for it. Another
   * site takes their place when anything of that changes.
   */
  at: string;
  integrations: Integrations;
  company: Company;
  /** Address of the drawing that stands where the map of the way here will be. */
  mapDrawing: string;
  navigation: Navigation;
  home: Home;
  /** By the name of the page; `wordsOf` finds them. */
  pages: Readonly<Record<string, PageText>>;
  /** Those that the map and the search list, in the order of the site. */
  sections: readonly Section[];
  /** In the order that editors gave. */
  services: readonly Service[];
  rates: Rates;
  calculator: Calculator;
  /** Regular trucks to the warehouses of marketplaces; `services/departures.ts` computes their dates. */
  departures: readonly Departure[];
  /** Newest first, as are reviews, articles and news. */
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

/** What editors wrote of a section. @throws if there is nothing, which loading the content has seen to */
export function wordsOf({ pages }: Pick<Content, 'pages'>, name: string): PageText {
  const words = pages[name];
  if (words === undefined) throw new Error(`The content has no words for the page "${name}": pages/${name}.md.`);
  return words;
}

import type { z } from 'zod';
import { localTime } from '../lib/calendar.ts';
import { memoizedWeakly } from '../lib/lazy.ts';
import type { Integrations } from './integrations.ts';
import type { PostOf, Posts } from './post-kinds.ts';
import type { Prose } from './prose.ts';
import type { calculatorSchema } from './schemas/calculator-schema.ts';
import type { categorySchema } from './schemas/categories-schema.ts';
import type { companySchema } from './schemas/company-schema.ts';
import type { departuresSchema } from './schemas/departures-schema.ts';
import type { homeSchema } from './schemas/home-schema.ts';
import type { legalSchema } from './schemas/legal-schema.ts';
import type { navigationSchema } from './schemas/navigation-schema.ts';
import type { pageTextSchema } from './schemas/page-text-schema.ts';
import type { presetsSchema } from './schemas/presets-schema.ts';
import type { PriceRow } from './schemas/prices-schema.ts';
import type { questionsSchema } from './schemas/questions-schema.ts';
import type { ratesSchema } from './schemas/rates-schema.ts';
import type { redirectsSchema } from './schemas/redirects-schema.ts';
import type { searchSchema } from './schemas/search-schema.ts';
import type { serviceSchema } from './schemas/service-schema.ts';
import type { ReleasedPage, WrittenPage } from './written-page.ts';

export type Company = Omit<z.output<typeof companySchema>, 'sample'>;

/** The number for visitors: the free one, if there is one. */
export function callPhone({ tollFree, phone }: Pick<Company, 'tollFree' | 'phone'>): Company['phone'] {
  return tollFree ?? phone;
}

/**
 * Whether the file or a folder that contains it is on the list.
 *
 * @param sample relative to the content folder, as the file
 */
export function isSample(sample: readonly string[], file: string): boolean {
  return sample.some((entry) => file === entry || file.startsWith(entry.replace(/\/?$/, '/')));
}

/** Where visitors can write. */
export function messengersOf({ social }: Pick<Company, 'social'>): Company['social'] {
  return social.filter(({ kind }) => kind !== 'network');
}

export type Navigation = z.output<typeof navigationSchema>;
export type { PriceRow };
export type RateTexts = z.output<typeof ratesSchema>;
/** A price list. Money is in kopecks. */
export type Rates = Omit<RateTexts, 'groups'> & {
  /** First day, `2026-11-01`. */
  effective: string;
  groups: readonly RateGroup[];
};
export type RateGroup = RateTexts['groups'][number] & { rows: readonly Rate[] };
export type Rate = {
  id: string;
  text: string;
  unit: string;
  /** The smallest order first. */
  tiers: readonly { from: number; price: number }[];
  /** Further units, if the first one costs more. */
  next?: { unit: string; price: number };
  /** Kilograms in a cubic metre, and whether the price is for a kilogram or a cubic metre. */
  density?: { from: number; by: 'weight' | 'volume' };
  minimum?: number;
  note?: string;
};
export type Calculator = z.output<typeof calculatorSchema> &
  Pick<Company, 'marketplaces'> & { warehouses: readonly Warehouse[] };
type Warehouse = { id: string; text: string; marketplaces: readonly string[]; rates: NonNullable<Departure['rates']> };
export type Departure = z.output<typeof departuresSchema>[number];
export type Category = z.output<typeof categorySchema>;
export type Preset = z.output<typeof presetsSchema>[number];
type SearchWords = z.output<typeof searchSchema>;
export type Redirect = z.output<typeof redirectsSchema>[number];
export type { CalloutWords } from './schemas/shared-fields.ts';

type Home = z.output<typeof homeSchema>;

export type Service = ReleasedPage<typeof serviceSchema> & { to: string };
export type CaseStudy = PostOf<'case'>;
export type Review = PostOf<'review'>;
export type Article = PostOf<'article'>;
export type NewsItem = PostOf<'news'>;
export type LegalDocument = WrittenPage<typeof legalSchema>;
export type PageText = ReleasedPage<typeof pageTextSchema>;
export type Question = Omit<z.output<typeof questionsSchema>[number], 'answer'> & { answer: Prose };

export type SectionLink = { name: string; to: string };

export const legalNames = ['policy', 'useragree', 'consent'] as const;
export type LegalName = (typeof legalNames)[number];

export type Content = Posts & {
  /** The moment this content is for, ISO 8601 in UTC; a new site replaces it when a date changes. */
  at: string;
  integrations: Integrations;
  /** What is still shipped: files and folders, relative to the content folder. */
  sample: readonly string[];
  company: Company;
  navigation: Navigation;
  home: Home;
  /** Only those that exist; use `hasPage` and `pageText`. */
  pages: Readonly<Record<string, PageText>>;
  sections: readonly SectionLink[];
  services: readonly Service[];
  /** In force. */
  rates: Rates;
  /** From the next change of prices. */
  nextRates: Rates | undefined;
  /** The prices of all days. */
  prices: readonly PriceRow[];
  calculator: Calculator;
  departures: readonly Departure[];
  categories: { blog: readonly Category[]; reviews: readonly Category[] };
  questions: readonly Question[];
  legal: Readonly<Record<LegalName, LegalDocument>>;
  presets: readonly Preset[];
  redirects: readonly Redirect[];
  search: SearchWords;
};

/** The day in the company's time zone. */
export const localToday = memoizedWeakly(({ at, company }: Pick<Content, 'at' | 'company'>): string => {
  return localTime(new Date(at), company.workingHours.timeZone).date;
});

/** Texts that every site has; any other page exists only with its text. */
export const requiredPages: readonly string[] = ['contact', 'contacts'];

/** A list also needs an entry. */
export function hasPage({ pages }: Pick<Content, 'pages'>, name: string): boolean {
  return pages[name] !== undefined;
}

/** @throws if there is none */
export function pageText({ pages }: Pick<Content, 'pages'>, name: string): PageText {
  const words = pages[name];
  if (words === undefined) throw new Error(`The content has no words for the page "${name}": pages/${name}.md.`);
  return words;
}

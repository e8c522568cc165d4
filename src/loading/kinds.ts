import type * as z from 'zod';
import { legalNames } from '../model/content.ts';
import { postKinds } from '../model/post-kinds.ts';
import { calculatorSchema } from '../model/schemas/calculator-schema.ts';
import { categoriesSchema } from '../model/schemas/categories-schema.ts';
import { companySchema } from '../model/schemas/company-schema.ts';
import { departuresSchema } from '../model/schemas/departures-schema.ts';
import { homeSchema } from '../model/schemas/home-schema.ts';
import { legalSchema } from '../model/schemas/legal-schema.ts';
import { navigationSchema } from '../model/schemas/navigation-schema.ts';
import { pageTextSchema } from '../model/schemas/page-text-schema.ts';
import { presetsSchema } from '../model/schemas/presets-schema.ts';
import { pricesSchema } from '../model/schemas/prices-schema.ts';
import { questionsSchema } from '../model/schemas/questions-schema.ts';
import { ratesSchema } from '../model/schemas/rates-schema.ts';
import { redirectsSchema } from '../model/schemas/redirects-schema.ts';
import { searchSchema } from '../model/schemas/search-schema.ts';
import { serviceSchema } from '../model/schemas/service-schema.ts';

export type Kind = {
  title: string;
  /** `*` matches a name. */
  files: string;
  schema: z.ZodType;
  /** Address of the page, with the same `*`. */
  address?: string;
  only?: readonly string[];
  /** Too complex for a form. */
  asFile?: true;
  /** A table, which the editor in the browser shows as text. */
  asText?: true;
};

const { article, news, ...otherPosts } = postKinds;

/** Ordered for editors: weekly work first. */
export const kinds = {
  article,
  news,
  ...otherPosts,
  service: { title: 'Услуги', files: 'services/*.md', schema: serviceSchema, address: '/services/*' },
  page: { title: 'Страницы', files: 'pages/*.md', schema: pageTextSchema, address: '/*' },
  legal: { title: 'Документы', files: 'legal/*.md', schema: legalSchema, address: '/*', only: legalNames },
  company: { title: 'Компания', files: 'company.yaml', schema: companySchema },
  home: { title: 'Главная', files: 'home.yaml', schema: homeSchema },
  navigation: { title: 'Меню', files: 'navigation.yaml', schema: navigationSchema },
  questions: { title: 'Популярные вопросы', files: 'questions.yaml', schema: questionsSchema },
  rates: { title: 'Тарифы', files: 'rates.yaml', schema: ratesSchema },
  prices: { title: 'Цены', files: 'prices.csv', schema: pricesSchema, asText: true },
  calculator: { title: 'Калькулятор', files: 'calculator.yaml', schema: calculatorSchema, asFile: true },
  departures: { title: 'Рейсы', files: 'departures.yaml', schema: departuresSchema },
  presets: { title: 'Формы заявок', files: 'presets.yaml', schema: presetsSchema },
  categories: { title: 'Рубрики', files: 'categories.yaml', schema: categoriesSchema },
  search: { title: 'Слова для поиска', files: 'search.yaml', schema: searchSchema, asFile: true },
  redirects: { title: 'Переезды адресов', files: 'redirects.yaml', schema: redirectsSchema },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as KindName[];

/** `undefined` if the site does not read the file. */
export function kindOf(path: string): KindName | undefined {
  return patterns.find(({ pattern }) => pattern.test(path))?.name;
}

const patterns = kindNames.map((name) => {
  const { files, only = ['[^/]+'] }: Kind = kinds[name];
  const pattern = files.replaceAll('.', '\\.').replaceAll('*', `(?:${only.join('|')})`);
  return { name, pattern: new RegExp(`^${pattern}$`) };
});

/** @param name not needed for kinds with a single file */
export function fileOf(kind: KindName, name = ''): string {
  return kinds[kind].files.replace('*', name);
}

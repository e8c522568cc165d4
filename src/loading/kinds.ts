import type * as z from 'zod';
import { legalNames } from '../model/content.ts';
import * as schema from '../model/schema.ts';

export type Kind = {
  title: string;
  /** `*` stands for a name. */
  files: string;
  schema: z.ZodType;
  /** Address of the page, with the same `*`. */
  address?: string;
  only?: readonly string[];
  /** Too complex for a form. */
  asFile?: true;
};

/** Ordered for editors: weekly work first. */
export const kinds = {
  article: { title: 'Статьи', files: 'blog/*/*.md', schema: schema.articleSchema, address: '/blog/*/*' },
  news: { title: 'Новости компании', files: 'news/*.md', schema: schema.newsSchema, address: '/about/novosti/*' },
  case: { title: 'Кейсы', files: 'cases/*.md', schema: schema.caseSchema, address: '/cases/*' },
  review: { title: 'Отзывы', files: 'reviews/*.md', schema: schema.reviewSchema },
  service: { title: 'Услуги', files: 'services/*.md', schema: schema.serviceSchema, address: '/services/*' },
  page: { title: 'Страницы', files: 'pages/*.md', schema: schema.pageTextSchema, address: '/*' },
  legal: { title: 'Документы', files: 'legal/*.md', schema: schema.legalSchema, address: '/*', only: legalNames },
  company: { title: 'Компания', files: 'company.yaml', schema: schema.companySchema },
  home: { title: 'Главная', files: 'home.yaml', schema: schema.homeSchema },
  navigation: { title: 'Меню', files: 'navigation.yaml', schema: schema.navigationSchema },
  questions: { title: 'Популярные вопросы', files: 'questions.yaml', schema: schema.questionsSchema },
  rates: { title: 'Тарифы', files: 'rates.yaml', schema: schema.ratesSchema },
  calculator: { title: 'Калькулятор', files: 'calculator.yaml', schema: schema.calculatorSchema, asFile: true },
  departures: { title: 'Рейсы', files: 'departures.yaml', schema: schema.departuresSchema },
  presets: { title: 'Формы заявок', files: 'presets.yaml', schema: schema.presetsSchema },
  categories: { title: 'Рубрики', files: 'categories.yaml', schema: schema.categoriesSchema },
  search: { title: 'Слова для поиска', files: 'search.yaml', schema: schema.searchSchema, asFile: true },
  redirects: { title: 'Переезды адресов', files: 'redirects.yaml', schema: schema.redirectsSchema },
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

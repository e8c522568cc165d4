import type { Article, CaseStudy, NewsItem } from './content.ts';

/** Addresses besides pages that the process answers by itself. */
export const dynamicAddresses: readonly string[] = [
  '/contact',
  '/broadcast',
  '/video-broadcast',
  '/healthz',
  '/readyz',
];

/** Canonical address of an article. */
export function articlePath({ category, slug }: Pick<Article, 'category' | 'slug'>): string {
  return `/blog/${category}/${slug}`;
}

/** Canonical address of a case. */
export function casePath({ slug }: Pick<CaseStudy, 'slug'>): string {
  return `/cases/${slug}`;
}

/** Canonical address of a news item of the company. */
export function newsPath({ slug }: Pick<NewsItem, 'slug'>): string {
  return `/about/novosti/${slug}`;
}

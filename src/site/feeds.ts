import { articlePath, newsPath } from '../model/addresses.ts';
import { pageIsTheSame } from '../model/campaign.ts';
import { type Content, out, wordsOf } from '../model/content.ts';
import { instant } from '../model/working-hours.ts';
import type { View } from '../pages/page.ts';
import { templates } from './templates.ts';

/** Feed readers keep older items. */
const maxFeedEntries = 50;

export function robots(siteUrl: string): string {
  return templates.robots({ siteUrl, campaign: pageIsTheSame.join('&') });
}

/** Only canonical addresses belong in a sitemap. */
export function sitemap(open: readonly { path: string; view: View }[], siteUrl: string): string {
  const pages = open
    .filter(({ path, view }) => view.head.path === path && !view.head.noindex)
    .map(({ path, view }) => ({ path, modified: view.modified ?? '' }));
  return templates.sitemap({ siteUrl, pages });
}

export function rss(content: Content, siteUrl: string): string {
  const { company, articles, news, categories } = content;
  const { timeZone } = company.workingHours;
  // Feed readers keep items, so previews must not leak drafts.
  const items = [
    ...out(articles).map((article) => ({
      title: article.heading,
      link: siteUrl + articlePath(article),
      description: article.summary,
      category: categories.blog.find(({ slug }) => slug === article.category)?.text ?? '',
      published: article.published,
    })),
    ...out(news).map((item) => ({
      title: item.heading,
      link: siteUrl + newsPath(item),
      description: item.description,
      category: wordsOf(content, 'novosti').heading,
      published: item.published,
    })),
  ]
    .sort((a, b) => b.published.localeCompare(a.published))
    .slice(0, maxFeedEntries)
    .map((item) => ({ ...item, published: new Date(instant(item.published, '00:00', timeZone)).toUTCString() }));
  return templates.rss({ siteUrl, company, items });
}

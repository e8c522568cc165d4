import { ignoredParameters } from '../model/campaign.ts';
import { type Content, pageText } from '../model/content.ts';
import { type PagedKind, postPages } from '../model/post-kinds.ts';
import { typeset } from '../model/typography.ts';
import { startOfDay } from '../model/working-hours.ts';
import type { PageView } from '../pages/page.ts';
import { templates } from './templates.ts';

/** Feed readers keep older items. */
const maxFeedEntries = 50;

export function robots(siteUrl: string): string {
  return templates.robots({ siteUrl, campaign: ignoredParameters.join('&') });
}

/** Only canonical addresses belong in a sitemap. */
export function sitemap(open: readonly { path: string; view: PageView }[], siteUrl: string): string {
  const pages = open
    .filter(({ path, view }) => view.head.path === path && !view.head.noindex)
    .map(({ path, view }) => ({ path, modified: view.modified ?? '' }));
  return templates.sitemap({ siteUrl, pages });
}

/** Feed readers keep items, so previews must not leak drafts. */
export function feedPosts(content: Content) {
  return postPages(content)
    .filter(({ kind, post }) => kind.inFeed && post.unpublished === undefined)
    .sort((a, b) => b.post.published.localeCompare(a.post.published));
}

export function rss(content: Content, siteUrl: string): string {
  const { company } = content;
  const { timeZone } = company.workingHours;
  const items = feedPosts(content)
    .slice(0, maxFeedEntries)
    .map(({ kind, path, post }) => ({
      title: typeset(post.heading),
      link: siteUrl + path,
      description: typeset(kind.summary(post)),
      category: typeset(categoryText(content, kind, post)),
      published: startOfDay(post.published, timeZone).toUTCString(),
    }));
  return templates.rss({ siteUrl, name: typeset(company.name), description: typeset(company.description), items });
}

/** Posts without a category have the heading of their list. */
function categoryText(content: Content, { categories, list }: PagedKind, { category }: { category?: string }): string {
  if (categories === undefined) return pageText(content, list.name).heading;
  return content.categories[categories].find(({ slug }) => slug === category)?.text ?? '';
}

import type { View } from '../document/page.ts';
import type { Headers } from '../document/security-headers.ts';
import { templates } from '../document/templates.ts';
import { cacheFor } from '../lib/cache-for.ts';
import { articlePath, newsPath } from '../model/addresses.ts';
import { pageIsTheSame } from '../model/campaign.ts';
import { type Article, type Content, type NewsItem, out, wordsOf } from '../model/content.ts';
import { instant } from '../model/working-hours.ts';
import { fileAt, type SiteFile } from './response.ts';

/** Readers keep older items, and Yandex reads only the newest. */
const feedLength = 50;

export function feeds(
  content: Content,
  siteUrl: string,
  open: () => readonly { path: string; view: View }[],
  security: Headers,
): SiteFile[] {
  const feed = (path: string, text: () => string) => fileAt(path, text, cacheFor.revalidate, security);
  return [
    feed('/sitemap.xml', () => templates.sitemap({ siteUrl, pages: sitemap(open()) })),
    feed('/rss.xml', () => templates.rss(channel(content, siteUrl))),
    feed('/robots.txt', () => templates.robots({ siteUrl, campaign: pageIsTheSame.join('&') })),
    feed('/.well-known/security.txt', () => securityText(content, siteUrl)),
  ];
}

/** RFC 9116. Expires a year after the first of the month. */
function securityText({ company, at }: Content, siteUrl: string): string {
  const expires = new Date(`${at.slice(0, 'yyyy-mm'.length)}-01T00:00:00Z`);
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  return [
    `Contact: mailto:${company.email}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: ru, en',
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** Only canonical addresses belong in a sitemap. */
function sitemap(open: readonly { path: string; view: View }[]): { path: string; modified: string }[] {
  return open
    .filter(({ path, view }) => view.head.path === path && !view.head.noindex)
    .map(({ path, view }) => ({ path, modified: view.modified ?? '' }));
}

function channel(content: Content, siteUrl: string) {
  const { company, articles, news, categories } = content;
  const { timeZone } = company.workingHours;
  // Readers keep items, so previews must not leak drafts.
  const items = [
    ...out(articles).map((article) => ({
      ...common(article, siteUrl + articlePath(article)),
      description: article.summary,
      category: categories.blog.find(({ slug }) => slug === article.category)?.text ?? '',
      author: article.author,
      html: () => articleHtml(article),
    })),
    ...out(news).map((item) => ({
      ...common(item, siteUrl + newsPath(item)),
      description: item.description,
      category: wordsOf(content, 'novosti').heading,
      author: '',
      html: () => `${item.body.html}<p>${escapeHtml(item.action)}</p>`,
    })),
  ]
    .sort((a, b) => b.published.localeCompare(a.published))
    .slice(0, feedLength)
    .map((item) => ({
      ...item,
      published: new Date(instant(item.published, '00:00', timeZone)).toUTCString(),
      html: absoluteLinks(item.html(), item.link, siteUrl),
    }));
  return { siteUrl, company, items, built: items[0]?.published ?? '' };
}

function common({ heading, published }: Article | NewsItem, link: string) {
  return { title: heading, link, published };
}

function articleHtml({ summary, body, video, sources = [] }: Article): string {
  const link = (href: string, text: string) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
  return [
    `<p><b>Главное.</b> ${escapeHtml(summary)}</p>`,
    video ? `<p>${link(video.href, 'Смотреть видео')}</p>` : '',
    body.html,
    sources.length > 0 ? `<p>Источники: ${sources.map(({ href, text }) => link(href, text)).join(', ')}</p>` : '',
  ].join('\n');
}

/** Feed readers cannot resolve `/rates` or `#conclusion`. */
export function absoluteLinks(html: string, page: string, siteUrl: string): string {
  const whole = (address: string) => {
    if (address.startsWith('#')) return page + address;
    return /^\/(?!\/)/.test(address) ? siteUrl + address : address;
  };
  return html
    .replace(/ (href|src)="([^"]*)"/g, (_, name, address) => ` ${name}="${whole(address)}"`)
    .replace(/ srcset="([^"]*)"/g, (_, set: string) => ` srcset="${set.split(/,\s+/).map(whole).join(', ')}"`);
}

const unsafe: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => unsafe[character] ?? '');
}

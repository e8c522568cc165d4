import type { Article } from '../site/content.ts';
import { DateText } from './date-text.tsx';
import { formatDuration } from './format.ts';
import { Heading, type Level } from './heading.tsx';
import './card.css';

/** What lists show of an article. */
export type ArticleSummary = Pick<Article, 'slug' | 'category' | 'heading' | 'description' | 'published'> & {
  minutes: number;
  duration?: string;
};

export function summariseArticle({
  slug,
  category,
  heading,
  description,
  published,
  body,
  video,
}: Article): ArticleSummary {
  const summary = { slug, category, heading, description, published, minutes: body.minutes };
  return video ? { ...summary, duration: video.duration } : summary;
}

/** Canonical address of an article. */
export function articlePath({ category, slug }: Pick<Article, 'category' | 'slug'>): string {
  return `/blog/${category}/${slug}`;
}

/** What a list of articles leads to. */
export function articleEntry(item: ArticleSummary): { to: string; name: string } {
  return { to: articlePath(item), name: item.heading };
}

/** An article in a list. */
export function ArticleCard({ item, level }: { item: ArticleSummary; level: Level }) {
  return (
    <li className="card">
      <p className="card-label">
        <DateText date={item.published} /> ·{' '}
        {item.duration ? `видео ${formatDuration(item.duration)}` : `${item.minutes}\u00A0мин чтения`}
      </p>
      <Heading level={level}>
        <a href={articlePath(item)}>{item.heading}</a>
      </Heading>
      <p>{item.description}</p>
    </li>
  );
}

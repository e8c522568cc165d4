import type { NewsItem, Unpublished } from '../site/content.ts';
import { DateText } from './date-text.tsx';
import { Heading, type Level } from './heading.tsx';
import { UnpublishedMark } from './unpublished-mark.tsx';
import './news-list.css';

/** What lists show of a news item. */
export type NewsSummary = Pick<NewsItem, 'slug' | 'heading' | 'description' | 'published'> & Unpublished;

export function summariseNews({ slug, heading, description, published, unpublished }: NewsItem): NewsSummary {
  return { slug, heading, description, published, ...(unpublished && { unpublished }) };
}

/** News of the company, each with its date. */
export function NewsList({ items, level }: { items: readonly NewsSummary[]; level: Level }) {
  return (
    <ul className="news-list">
      {items.map((item) => (
        <li key={item.slug}>
          <p className="news-list-date">
            <DateText date={item.published} /> <UnpublishedMark post={item} />
          </p>
          <div>
            <Heading level={level}>
              <a href={`/about/novosti/${item.slug}`}>{item.heading}</a>
            </Heading>
            <p>{item.description}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

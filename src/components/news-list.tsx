import type { NewsItem } from '../site/content.ts';
import { DateText } from './date-text.tsx';
import { Heading, type Level } from './heading.tsx';
import './news-list.css';

/** What lists show of a news item. */
export type NewsSummary = Pick<NewsItem, 'slug' | 'heading' | 'description' | 'published'>;

export function summariseNews({ slug, heading, description, published }: NewsItem): NewsSummary {
  return { slug, heading, description, published };
}

/** News of the company, each with its date. */
export function NewsList({ items, level }: { items: readonly NewsSummary[]; level: Level }) {
  return (
    <ul className="news-list">
      {items.map((item) => (
        <li key={item.slug}>
          <p className="news-list-date">
            <DateText date={item.published} />
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

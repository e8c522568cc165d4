import { DateText } from '../design/date-text.tsx';
import { Heading, type Level } from '../design/heading.tsx';
import { StretchedLink } from '../design/stretched-link.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { newsPath } from '../model/addresses.ts';
import type { NewsItem, Unpublished } from '../model/content.ts';
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
              <StretchedLink href={newsPath(item)}>{item.heading}</StretchedLink>
            </Heading>
            <p>{item.description}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

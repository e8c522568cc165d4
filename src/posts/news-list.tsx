import { DateText } from '../design/date-text.tsx';
import { Heading, type Level } from '../design/heading.tsx';
import { StretchedLink } from '../design/stretched-link.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { newsPath } from '../model/addresses.ts';
import type { Content, NewsItem, Unpublished } from '../model/content.ts';
import { type Force, forceOf } from './in-force.ts';
import './news-list.css';

export type NewsSummary = Pick<NewsItem, 'slug' | 'heading' | 'description' | 'published'> &
  Unpublished & { force: Force };

export function summariseNews(content: Content): (item: NewsItem) => NewsSummary {
  const force = forceOf(content);
  return (item) => {
    const { slug, heading, description, published, unpublished } = item;
    return { slug, heading, description, published, force: force(item), unpublished };
  };
}

const forceText: Readonly<Record<Force, string>> = { coming: 'Скоро', current: 'Действует', past: 'Уже прошло' };

export function NewsList({ items, level }: { items: readonly NewsSummary[]; level: Level }) {
  return (
    <ul className="news-list">
      {items.map((item) => (
        <li key={item.slug} className={`news-${item.force}`}>
          <p className="news-list-date">
            <DateText date={item.published} /> <span className="news-list-force">{forceText[item.force]}</span>{' '}
            <UnpublishedMark post={item} />
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

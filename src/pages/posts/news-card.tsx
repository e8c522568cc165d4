import { DateText } from '../../components/prose/date-text.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import type { Content, NewsItem } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { type Force, forceOf } from './in-force.ts';
import { PostCard } from './post-card.tsx';

type NewsSummary = Omit<NewsItem, 'body'> & { force: Force };

export function summariseNews(content: Content): (item: NewsItem) => NewsSummary {
  const force = forceOf(content);
  return ({ body: _, ...item }) => ({ ...item, force: force(item) });
}

const forceText: Readonly<Record<Force, string>> = { coming: 'скоро', current: 'действует', past: 'уже прошло' };

export function NewsCard({ item, level }: { item: NewsSummary; level: Level }) {
  const label = (
    <>
      <DateText date={item.published} /> · {forceText[item.force]}
    </>
  );
  return (
    <PostCard post={item} href={postPath('news', item)} level={level} label={label}>
      {level === 2 && <p>{item.description}</p>}
    </PostCard>
  );
}

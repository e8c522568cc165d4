import { columnSizes, Drawing, Picture } from '../../components/picture.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Article, Content } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { PostCard } from './post-card.tsx';

/** `kind` is the category in words, in lists of several. */
type ArticleSummary = Omit<Article, 'body'> & { minutes: number; kind: string | undefined };

export function summariseArticle(
  { categories }: Pick<Content, 'categories'>,
  only?: string,
): (article: Article) => ArticleSummary {
  return ({ body, ...article }) => ({
    ...article,
    minutes: body.minutes,
    kind: categories.blog.find(({ slug }) => slug === article.category && slug !== only)?.text,
  });
}

/** «видео 3 мин 20 с» or «5 мин» */
export function lengthOf({ video, minutes }: Pick<ArticleSummary, 'video' | 'minutes'>): string {
  return video ? `видео ${formatDuration(video.duration)}` : `${minutes}\u00A0мин`;
}

export function ArticleCard({ item, level }: { item: ArticleSummary; level: Level }) {
  const { published, video, description, image, kind } = item;
  const label = (
    <>
      {kind && `${kind} · `}
      <DateText date={published} /> · {lengthOf(item)}
    </>
  );
  const still = video?.still && { ...video.still, alt: '' };
  const large = kind === undefined && still;
  const small = still ? <Picture picture={still} sizes="6rem" /> : <Drawing image={image} />;
  return (
    <PostCard post={item} href={postPath('article', item)} level={level} label={label} picture={!large && small}>
      {level === 2 && <p className="card-text">{description}</p>}
      {large && (
        <div className="card-still">
          <Picture picture={large} sizes={columnSizes} />
        </div>
      )}
    </PostCard>
  );
}

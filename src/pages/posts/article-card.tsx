import { heroSizes } from '../../components/hero-picture.tsx';
import { Picture } from '../../components/picture.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Article } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { PostCard } from './post-card.tsx';

type ArticleSummary = Omit<Article, 'body'> & { minutes: number };

export function summariseArticle({ body, ...article }: Article): ArticleSummary {
  return { ...article, minutes: body.minutes };
}

/** «видео 3 мин 20 с» or «5 мин чтения» */
export function lengthOf({ video, minutes }: Pick<ArticleSummary, 'video' | 'minutes'>): string {
  return video ? `видео ${formatDuration(video.duration)}` : `${minutes}\u00A0мин чтения`;
}

export function ArticleCard({ item, level }: { item: ArticleSummary; level: Level }) {
  const { published, video, description } = item;
  const label = (
    <>
      <DateText date={published} /> · {lengthOf(item)}
    </>
  );
  const still = level === 2 && video?.still;
  return (
    <PostCard post={item} href={postPath('article', item)} level={level} label={label}>
      {level === 2 && <p>{description}</p>}
      {still && (
        <div className="card-still">
          <Picture picture={{ ...still, alt: '' }} sizes={heroSizes} />
        </div>
      )}
    </PostCard>
  );
}

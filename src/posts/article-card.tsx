import type { ReactNode } from 'react';
import { DateText } from '../design/date-text.tsx';
import { formatDuration } from '../design/format.ts';
import { Heading, type Level } from '../design/heading.tsx';
import { StretchedLink } from '../design/stretched-link.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { articlePath } from '../model/addresses.ts';
import type { Article, Unpublished } from '../model/content.ts';
import type { Illustration } from '../model/illustration.ts';
import '../design/card.css';

export type ArticleSummary = Pick<Article, 'slug' | 'category' | 'heading' | 'description' | 'published'> &
  Unpublished & {
    minutes: number;
    duration?: string;
    picture?: Illustration;
  };

export function summariseArticle({
  slug,
  category,
  heading,
  description,
  published,
  body,
  video,
  unpublished,
  picture,
}: Article): ArticleSummary {
  const summary = { slug, category, heading, description, published, minutes: body.minutes };
  return {
    ...summary,
    picture,
    duration: video?.duration,
    unpublished,
  };
}

export function ArticleCard({ item, level, picture }: { item: ArticleSummary; level: Level; picture?: ReactNode }) {
  return (
    <li className={picture ? 'card card-pictured' : 'card'}>
      {picture}
      <ArticleWords item={item} level={level} />
    </li>
  );
}

export function ArticleWords({ item, level }: { item: ArticleSummary; level: Level }) {
  return (
    <>
      <p className="card-label">
        <UnpublishedMark post={item} /> <DateText date={item.published} /> ·{' '}
        {item.duration ? `видео ${formatDuration(item.duration)}` : `${item.minutes}\u00A0мин чтения`}
      </p>
      <Heading level={level}>
        <StretchedLink href={articlePath(item)}>{item.heading}</StretchedLink>
      </Heading>
      <p>{item.description}</p>
    </>
  );
}

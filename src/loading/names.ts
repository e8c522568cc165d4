import { type Content, out } from '../model/content.ts';
import type { Name } from '../model/schemas/field-marks.ts';
import type { Sources } from './sources.ts';

/** Without unpublished items. */
export function namesIn(content: Content): Readonly<Record<Name, readonly string[]>> {
  const { services, presets, articles, categories, rates } = content;
  return {
    service: out(services).map(({ to }) => to),
    preset: presets.map(({ slug }) => slug),
    article: out(articles).map(({ slug }) => slug),
    reviews: categories.reviews.map(({ slug }) => slug),
    rates: rates.groups.map(({ id }) => id),
    rate: rates.groups.flatMap(({ rows }) => rows.map(({ id }) => id)),
  };
}

export type NextIds = ReturnType<typeof nextIds>;

/** Above those of drafts and of posts that wait for their day. */
export function nextIds({ article, news, case: cases, review }: Sources) {
  const next = (posts: readonly { value: { id: number } }[]) => Math.max(0, ...posts.map(({ value }) => value.id)) + 1;
  return { article: next(article), news: next(news), case: next(cases), review: next(review) };
}

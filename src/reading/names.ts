import { type Content, out } from '../model/content.ts';
import type { Name } from '../model/schema.ts';

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

/** @param content must include unpublished posts */
export function nextIds({ articles, news, cases, reviews }: Content) {
  const next = (posts: readonly { id: number }[]) => Math.max(0, ...posts.map(({ id }) => id)) + 1;
  return { article: next(articles), news: next(news), case: next(cases), review: next(reviews) };
}

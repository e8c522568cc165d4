import type { Content } from '../model/content.ts';
import { postKindNames } from '../model/post-kinds.ts';
import type { Name } from '../model/schemas/field-marks.ts';
import { published } from '../model/written-page.ts';
import type { KindName } from './kinds.ts';
import type { Sources } from './sources.ts';

/** Without unpublished items, and without articles, which are too many to offer. */
export function namesIn(content: Content): Readonly<Record<Exclude<Name, 'article'>, readonly string[]>> {
  const { company, services, presets, categories, rates } = content;
  return {
    service: published(services).map(({ to }) => to),
    preset: presets.map(({ slug }) => slug),
    marketplace: company.marketplaces.map(({ text }) => text),
    reviews: categories.reviews.map(({ slug }) => slug),
    rates: rates.groups.map(({ id }) => id),
    rate: rates.groups.flatMap(({ rows }) => rows.map(({ id }) => id)),
  };
}

export type NextIds = ReadonlyMap<KindName, number>;

/** Above those of drafts and of posts that wait for their day. */
export function nextIds(sources: Sources): NextIds {
  return new Map(postKindNames.map((kind) => [kind, Math.max(0, ...sources[kind].map(({ value }) => value.id)) + 1]));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localTime } from '../lib/calendar.ts';
import { paths } from '../lib/paths.ts';
import { slugOf } from '../lib/slug.ts';
import type { Content } from '../model/content.ts';
import { kinds } from './kinds.ts';
import { namesIn, nextIds } from './names.ts';

/** Kinds of which editors write new files again and again. */
export const newKinds = ['article', 'news', 'case', 'service', 'review', 'page'] as const;
export type NewKind = (typeof newKinds)[number];

type Options = {
  kind: NewKind;
  /** With a letter, for the address. */
  heading: string;
  /** Of the blog, for an article. */
  category: string;
  /** With posts that are not out yet, whose numbers are taken. */
  content: Content;
  at: Date;
};

/** A copy of the kind's template with values for its `$names`. @returns its path within the content, and its text */
export function newFile({ kind, heading, category, content, at }: Options): { path: string; text: string } {
  const inQuotes = (text: string) => JSON.stringify(text).slice(1, -1);
  const firsts = Object.entries(namesIn(content)).map(([name, [first]]) => [name, first]);
  const ids: Partial<Record<NewKind, number>> = nextIds(content);
  const values: Readonly<Record<string, string | number | undefined>> = {
    ...Object.fromEntries(firsts),
    heading: inQuotes(heading),
    // Titles and descriptions are limited.
    short: inQuotes(heading.slice(0, 50).trim()),
    today: localTime(at, content.company.workingHours.timeZone).date,
    id: ids[kind],
    order: Math.max(0, ...content.services.map(({ order }) => order)) + 1,
  };
  const template = join(paths.templates, `${category === 'video-news' ? 'video' : kind}.md`);
  return {
    path: kinds[kind].files.replace('/*/', `/${category}/`).replace('*', slugOf(heading)),
    text: readFileSync(template, 'utf8').replace(/\$(\w+)/g, (_, name) => String(values[name] ?? '')),
  };
}

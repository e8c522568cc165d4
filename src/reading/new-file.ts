import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localTime } from '../lib/calendar.ts';
import { paths } from '../lib/paths.ts';
import { slugOf } from '../lib/slug.ts';
import type { Content } from '../model/content.ts';
import { kinds } from './kinds.ts';
import { namesIn, nextIds } from './names.ts';

export const newKinds = ['article', 'news', 'case', 'service', 'review', 'page'] as const;
export type NewKind = (typeof newKinds)[number];

type Options = {
  kind: NewKind;
  /** Needs a letter, because the address is made from it. */
  heading: string;
  /** Blog category, only for articles. */
  category: string;
  /** Includes unpublished posts, whose ids are taken. */
  content: Content;
  at: Date;
};

/** @returns the path within the content folder, and the text */
export function newFile({ kind, heading, category, content, at }: Options): { path: string; text: string } {
  const inQuotes = (text: string) => JSON.stringify(text).slice(1, -1);
  const firsts = Object.entries(namesIn(content)).map(([name, [first]]) => [name, first]);
  const ids: Partial<Record<NewKind, number>> = nextIds(content);
  const values: Readonly<Record<string, string | number | undefined>> = {
    ...Object.fromEntries(firsts),
    heading: inQuotes(heading),
    // Titles and descriptions have length limits.
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

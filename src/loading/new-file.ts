import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localTime } from '../lib/calendar.ts';
import { lazy } from '../lib/lazy.ts';
import { paths } from '../lib/paths.ts';
import { slugOf } from '../lib/slug.ts';
import { knownNames } from './checks/check-names.ts';
import type { ContentFiles } from './content-files.ts';
import { type Kind, type KindName, kindNames, kindOf, kinds } from './kinds.ts';
import type { ReadContent } from './sources.ts';

/** Kinds with a folder to which editors add files. */
export const newKinds = kindNames.filter((name) => {
  const { files, only }: Kind = kinds[name];
  return files.includes('*') && only === undefined;
});

type Options = {
  kind: KindName;
  /** Needs a letter, because the address is made from it. */
  heading: string;
  /** Blog category, only for articles. */
  category: string;
  /** May have problems: other files have nothing to do with a new one. */
  read: ReadContent;
  at: Date;
};

/** @returns the path within the content folder, and the text */
export function newFile({ kind, heading, category, read, at }: Options): { path: string; text: string } {
  const inQuotes = (text: string) => JSON.stringify(text).slice(1, -1);
  const firsts = [...knownNames(read)].map(([name, [first]]) => [name, first]);
  const { timeZone } = read.sources.company[0]?.value.workingHours ?? new Intl.DateTimeFormat().resolvedOptions();
  const isVideo = read.sources.categories[0]?.value.blog.some(({ slug, video }) => slug === category && video);
  const values: Readonly<Record<string, string | number | undefined>> = {
    ...Object.fromEntries(firsts),
    heading: inQuotes(heading),
    // Titles and descriptions have length limits.
    short: inQuotes(heading.slice(0, 50).trim()),
    today: localTime(at, timeZone).date,
    id: nextNumber(read.files, kind, 'id'),
    order: nextNumber(read.files, kind, 'order'),
  };
  return {
    path: kinds[kind].files.replace('/*/', `/${category}/`).replace('*', slugOf(heading)),
    text: readTemplate(`${isVideo ? 'video' : kind}.md`).replace(/\$(\w+)/g, (_, name) => String(values[name] ?? '')),
  };
}

/** Also counts files that cannot be read. */
function nextNumber(files: ContentFiles, kind: KindName, field: string): number {
  const written = new RegExp(`^${field}: *(\\d+)`, 'm');
  const texts = [...files].flatMap(([file, { bytes }]) => (kindOf(file) === kind ? String(bytes()) : []));
  return Math.max(0, ...texts.map((text) => Number(written.exec(text)?.[1] ?? 0))) + 1;
}

/** Slugs, and names of the folders while the list of categories cannot be read. */
export function blogCategories({ files, sources }: ReadContent): string[] {
  const [listed] = sources.categories;
  if (listed) return listed.value.blog.map(({ slug }) => slug);
  return [...new Set([...files.keys()].flatMap((file) => /^blog\/([^/]+)\//.exec(file)?.[1] ?? []))];
}

const readTemplate = (name: string) => readFileSync(join(paths.templates, name), 'utf8');

/** In templates, stands before what has to be replaced. */
const asked = /ВПИШИТЕ/;

/** Template lines that ask for words, without the asking word. */
const askingLines = lazy(() => {
  const lines = readdirSync(paths.templates).flatMap((name) => readTemplate(name).split('\n'));
  return new Set(lines.filter((line) => asked.test(line)).map(wordsOf));
});

function wordsOf(line: string): string {
  const letters = line
    .split(asked)
    .join('')
    .replace(/^\s*# /, '');
  return letters
    .replace(/[\s"',.:;!{}]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether a line still has words of a template. */
export function isFromTemplate(line: string): boolean {
  return asked.test(line) || askingLines().has(wordsOf(line));
}

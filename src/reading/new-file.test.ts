import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { sections } from '../routes.ts';
import { contentWith } from '../testing/content.ts';
import { problemsOf } from '../testing/problems.ts';
import { readAssets } from './assets.ts';
import { kinds } from './kinds.ts';
import { loadContent } from './load.ts';
import { type NewKind, newFile, newKinds } from './new-file.ts';
import { schemaOf } from './schema.ts';
import { readSources } from './sources.ts';

const at = new Date('2026-11-21T22:30:00Z');
const assets = readAssets(paths.public);
const before = contentWith({});
const { content } = loadContent(readSources(before, sections), { assets, at, drafts: true });
const categories = content.categories.blog.map(({ slug }) => slug);
const [first = ''] = categories;

const begin = (kind: NewKind, heading: string, category = first) => newFile({ kind, heading, category, content, at });

/** What is said of a file that has just been begun, and of what it was made of. */
async function told({ path, text }: { path: string; text: string }) {
  const files = contentWith({ [path]: () => text });
  const problems = await problemsOf(files, at);
  const { content } = loadContent(readSources(files, sections), { assets, at, drafts: true });
  return { content, problems: problems.filter(({ file }) => file === path) };
}

const begun: [string, NewKind, ReturnType<typeof begin>][] = [
  ...newKinds.map((kind): [string, NewKind, ReturnType<typeof begin>] => [kind, kind, begin(kind, 'Ёлки: "10" шагов')]),
];
if (categories.includes('video-news')) begun.push(['video', 'article', begin('article', 'У ворот', 'video-news')]);

test.each(begun)(
  'the template of %s names every field, and passes the check as a draft of today',
  async (_, kind, file) => {
    const lines = file.text.split('\n');
    const fields = Object.keys(schemaOf(kinds[kind]).properties ?? {});
    const unnamed = fields.filter((field) => !lines.some((line) => new RegExp(`^(# )?${field}:`).test(line)));
    expect(unnamed).toEqual(kind === 'article' && !file.text.includes('\nvideo:') ? ['video'] : []);
    const { content, problems } = await told(file);
    expect(problems).toEqual([]);
    const slug = basename(file.path, '.md');
    const { articles, news, cases, reviews, services, pages } = content;
    const posts = [...articles, ...news, ...cases, ...reviews];
    expect([...posts, ...services].find((one) => one.slug === slug) ?? pages[slug]).toMatchObject({
      unpublished: 'draft',
    });
    const post = posts.find((one) => one.slug === slug);
    if (post) expect(post.published).toBe('2026-11-22');
  },
);

test.each(begun)(
  'what is left of the words of the template of %s is told once it is no draft',
  async (_, __, { path, text }) => {
    const published = text.replace('draft: true', 'draft: false').replace(/^published: .*/m, 'published: 2026-11-20');
    const lines = published.split('\n').flatMap((line, index) => (/^(?!\s*# ).*ВПИШИТЕ/.test(line) ? [index + 1] : []));
    const { problems } = await told({ path, text: published });
    expect(problems.map(({ line }) => line)).toEqual(lines.length > 0 ? lines : [0]);
    expect(problems[0]).toMatchObject({ warning: true });
  },
);

test.each<[NewKind, string, string]>([['article', 'Как мы меряем короба', `blog/${first}/kak-my-meryaem-koroba.md`]])(
  'a new %s «%s» is %s',
  (kind, heading, path) => {
    expect(begin(kind, heading).path).toBe(path);
  },
);

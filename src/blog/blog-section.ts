import { type NextStep, nextStep } from '../design/callout.tsx';
import { neighbours, type Paginated, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { listSubject } from '../document/list-subject.ts';
import type { Head, Query } from '../document/page.ts';
import type { Category, Content } from '../model/content.ts';
import { type ArticleSummary, articleEntry, summariseArticle } from './article-card.tsx';
import { blogSections } from './article-list.tsx';

/** What a page of one category of the blog shows. */
export type BlogSection = {
  text: Category;
  /** Heading of the blog itself. */
  parent: string;
  categories: ReturnType<typeof blogSections>;
  path: string;
  list: Paginated<ArticleSummary>;
  next: NextStep | undefined;
};

/** The articles of a category; `undefined` if there is no such category or page. */
export function blogSection(content: Content, category: string, query: Query): BlogSection | undefined {
  const text = content.categories.blog.find(({ slug }) => slug === category);
  if (!text) return undefined;
  const ofCategory = content.articles.filter((article) => article.category === category);
  const list = paginate(ofCategory.map(summariseArticle), query);
  if (!list) return undefined;
  return {
    text,
    parent: content.pages.blog.heading,
    categories: blogSections(content),
    path: `/blog/${category}`,
    list,
    next: nextStep(content, 'question'),
  };
}

export function blogSectionHead({ text, parent, path, list }: BlogSection): Head {
  return {
    path: pagePath(path, list.page),
    title: pageTitle(text.title, list.page),
    description: text.description,
    crumbs: [
      { path: '/blog', text: parent },
      { path, text: text.text },
    ],
    subjects: [listSubject(list, articleEntry)],
    ...neighbours(path, list.page, list.pages),
  };
}

export function blogSectionDates({ list }: BlogSection): readonly string[] {
  return list.items.map(({ published }) => published);
}

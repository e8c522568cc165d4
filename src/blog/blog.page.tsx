import { nextStep } from '../design/callout.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { listSubject } from '../document/list-subject.ts';
import { definePage } from '../document/page.ts';
import { articleEntry, summariseArticle } from './article-card.tsx';
import { ArticleList, blogSections } from './article-list.tsx';

const path = '/blog';

/** The whole blog, newest first. */
export const blog = definePage({
  name: 'blog',
  query: ['page'],
  props(content, _params, query) {
    const { heading, title, description, lead } = content.pages.blog;
    const list = paginate(content.articles.map(summariseArticle), query);
    return (
      list && {
        text: { heading, title, description, lead },
        categories: blogSections(content),
        list,
        next: nextStep(content, 'question'),
      }
    );
  },
  head: ({ text, list }) => ({
    path: pagePath(path, list.page),
    title: pageTitle(text.title, list.page),
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    subjects: [listSubject(list, articleEntry)],
    ...neighbours(path, list.page, list.pages),
  }),
  dates: ({ list }) => list.items.map(({ published }) => published),
  Body: ({ text, categories, list, next }) => (
    <ArticleList text={text} categories={categories} path={path} list={list} next={next} />
  ),
});

import { definePage } from '../document/page.ts';
import { ArticleList } from './article-list.tsx';
import { blogSection, blogSectionDates, blogSectionHead } from './blog-section.ts';

/** One category of the blog; video news has a page of its own. */
export const blogCategory = definePage({
  name: 'blog-category',
  query: ['page'],
  paths: (content) =>
    content.categories.blog.filter(({ slug }) => slug !== 'video-news').map(({ slug }) => ({ category: slug })),
  props: (content, { category }: { category: string }, query) => blogSection(content, category, query),
  head: blogSectionHead,
  dates: blogSectionDates,
  Body: ({ text, categories, path, list, next }) => (
    <ArticleList text={text} categories={categories} path={path} list={list} next={next} />
  ),
});

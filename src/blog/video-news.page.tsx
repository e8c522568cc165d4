import { definePage } from '../document/page.ts';
import { ArticleList } from './article-list.tsx';
import { blogSection, blogSectionDates, blogSectionHead } from './blog-section.ts';

/** Video news: the category of the blog that has a fixed address. */
export const videoNews = definePage({
  name: 'video-news',
  query: ['page'],
  props: (content, _params, query) => blogSection(content, 'video-news', query),
  head: blogSectionHead,
  dates: blogSectionDates,
  Body: ({ text, categories, path, list, next }) => (
    <ArticleList text={text} categories={categories} path={path} list={list} next={next} />
  ),
});

import { Callout, nextStep } from '../design/callout.tsx';
import { CardList } from '../design/card-list.tsx';
import { CardPicture } from '../design/card-picture.tsx';
import { CategoryLinks } from '../design/category-links.tsx';
import { EmptyList } from '../design/empty-list.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Pagination } from '../design/pagination.tsx';
import { defineList, inCategory } from '../document/list-page.ts';
import type { Page, Placed } from '../document/page.ts';
import { articlePath } from '../model/addresses.ts';
import { type Content, wordsOf } from '../model/content.ts';
import { ArticleCard, askTheAuthors, summariseArticle } from './article-card.tsx';

type Asked = { category?: string };

/** Articles, newest first: all, or those of a category. */
function blogPage(place: Omit<Placed, 'name'>, paths: (content: Content) => readonly Asked[] = () => [{}]): Page {
  return defineList({
    name: 'blog',
    ...place,
    paths,
    list(content, { category }: Asked) {
      const { categories, articles } = content;
      const all = {
        path: '/blog',
        words: wordsOf(content, 'blog'),
        categories: categories.blog,
        all: 'Все статьи',
        items: articles,
      };
      const list = inCategory(all, category);
      return list && { ...list, items: list.items.map(summariseArticle), next: nextStep(content, 'question') };
    },
    entry: (item) => ({ to: articlePath(item), name: item.heading }),
    Body: ({ text, categories, path, list, next }) => (
      <>
        <PageHeading heading={text.heading} lead={text.lead} />
        <CategoryLinks label="Разделы блога" entries={categories} path={path} />
        {list.items.length === 0 ? (
          <EmptyList text="В этом разделе материалов пока нет. Загляните в соседние." />
        ) : (
          <CardList>
            {list.items.map((item) => (
              <ArticleCard
                key={item.slug}
                item={item}
                level={2}
                picture={item.picture && <CardPicture picture={item.picture} />}
              />
            ))}
          </CardList>
        )}
        <Pagination path={path} page={list.page} pages={list.pages} />
        <Callout heading="Нет статьи о вашем случае?" ask={askTheAuthors} next={next} />
      </>
    ),
  });
}

export const blog = blogPage({ path: '/blog', section: 'listed', footer: 'Блог' });
export const blogCategory = blogPage({ path: '/blog/:category' }, ({ categories }) =>
  categories.blog.map(({ slug }) => ({ category: slug })),
);

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
import { ArticleCard, summariseArticle } from './article-card.tsx';
import { LeadStory } from './lead-story.tsx';

type Asked = { category?: string };

/** All articles or one category; the newest is the lead story. */
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
      const items = list?.items.map(summariseArticle) ?? [];
      return list && { ...list, image: all.words.image, items, next: nextStep(content, all.words.callout) };
    },
    entry: (item) => ({ to: articlePath(item), name: item.heading }),
    Body: ({ text, image, categories, path, list, next }) => (
      <>
        <PageHeading
          heading={text.heading}
          lead={text.lead}
          label={list.page === 1 && list.items[0] && <LeadStory item={list.items[0]} image={image} />}
        />
        <CategoryLinks label="Разделы блога" entries={categories} path={path} />
        {list.items.length === 0 ? (
          <EmptyList text="Здесь пока пусто. Посмотрите соседние разделы." />
        ) : (
          <CardList>
            {list.items.slice(list.page === 1 ? 1 : 0).map((item) => (
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
        <Callout next={next} />
      </>
    ),
  });
}

export const blog = blogPage({ path: '/blog', section: 'listed' });
export const blogCategory = blogPage({ path: '/blog/:category' }, ({ categories }) =>
  categories.blog.map(({ slug }) => ({ category: slug })),
);

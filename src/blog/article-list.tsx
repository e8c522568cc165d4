import { Callout, type NextStep } from '../design/callout.tsx';
import { CardList } from '../design/card-list.tsx';
import { CardPicture } from '../design/card-picture.tsx';
import { CategoryLinks } from '../design/category-links.tsx';
import { EmptyList } from '../design/empty-list.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import type { Paginated } from '../design/paginate.ts';
import { Pagination } from '../design/pagination.tsx';
import type { Category, Content } from '../model/content.ts';
import { ArticleCard, type ArticleSummary } from './article-card.tsx';

type Entry = { to: string; text: string };

type Props = {
  text: Pick<Category, 'heading' | 'lead'>;
  categories: readonly Entry[];
  path: string;
  list: Paginated<ArticleSummary>;
  next: NextStep | undefined;
};

/** The blog's sections: everything, then each category. */
export function blogSections(content: Content): Entry[] {
  return [
    { to: '/blog', text: 'Все статьи' },
    ...content.categories.blog.map(({ slug, text }) => ({ to: `/blog/${slug}`, text })),
  ];
}

/** A list of articles: the whole blog's or a category's. */
export function ArticleList({ text, categories, path, list, next }: Props) {
  return (
    <>
      <PageHeading heading={text.heading} lead={text.lead} />
      <CategoryLinks label="Разделы блога" entries={categories} path={path} />
      {list.items.length === 0 ? (
        <EmptyList why="unwritten" text="В этом разделе материалов пока нет. Загляните в соседние." />
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
      <Callout
        heading="Нет статьи о вашем случае?"
        text="Спросите того, кто готовит поставки каждый день: перезвоним в течение 10 минут в рабочее время."
        next={next}
      />
    </>
  );
}

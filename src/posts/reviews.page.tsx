import { Callout, nextStep } from '../design/callout.tsx';
import { CategoryLinks } from '../design/category-links.tsx';
import { EmptyList } from '../design/empty-list.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Pagination } from '../design/pagination.tsx';
import { Drawing } from '../design/picture.tsx';
import { StepActions } from '../design/step-actions.tsx';
import { defineList, inCategory } from '../document/list-page.ts';
import type { Page, Placed } from '../document/page.ts';
import { type Content, wordsOf } from '../model/content.ts';
import { ReviewCard, reviewEntry, summariseReview } from './review-card.tsx';

type Asked = { category?: string };

function reviewsPage(place: Omit<Placed, 'name'>, paths: (content: Content) => readonly Asked[] = () => [{}]): Page {
  return defineList({
    name: 'reviews',
    ...place,
    share: { drawing: '/images/presets/bonus.svg' },
    paths,
    list(content, { category }: Asked) {
      const { categories, reviews: items } = content;
      const all = {
        path: '/reviews',
        words: wordsOf(content, 'reviews'),
        categories: categories.reviews,
        all: 'Все отзывы',
        items,
      };
      const list = inCategory(all, category);
      const next = nextStep(content, all.words.callout);
      return list && { ...list, image: all.words.image, items: list.items.map(summariseReview(content)), next };
    },
    entry: reviewEntry,
    Body: ({ text, image, categories, path, list, next }) => (
      <>
        <PageHeading heading={text.heading} lead={text.lead} drawing={<Drawing image={image} />}>
          <StepActions next={next} />
        </PageHeading>
        <CategoryLinks label="Разделы отзывов" entries={categories} path={path} />
        {list.items.length === 0 ? (
          <EmptyList text="Здесь отзывов пока нет. Посмотрите соседние разделы." />
        ) : (
          <ul className="review-list">
            {list.items.map((item) => (
              <ReviewCard key={item.id} item={item} level={2} />
            ))}
          </ul>
        )}
        <Pagination path={path} page={list.page} pages={list.pages} />
        <Callout next={next} />
      </>
    ),
  });
}

export const reviews = reviewsPage({ path: '/reviews', section: 'listed' });
export const reviewCategory = reviewsPage({ path: '/reviews/:category' }, ({ categories }) =>
  categories.reviews.map(({ slug }) => ({ category: slug })),
);

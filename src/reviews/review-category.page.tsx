import { nextStep } from '../design/callout.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { listSubject } from '../document/list-subject.ts';
import { definePage } from '../document/page.ts';
import { reviewEntry, summariseReview } from './review-card.tsx';
import { ReviewList, reviewSections } from './review-list.tsx';

/** The reviews of one category. */
export const reviewCategory = definePage({
  name: 'review-category',
  query: ['page'],
  paths: (content) => content.categories.reviews.map(({ slug }) => ({ category: slug })),
  props(content, { category }: { category: string }, query) {
    const text = content.categories.reviews.find(({ slug }) => slug === category);
    if (!text) return undefined;
    const ofCategory = content.reviews.filter((review) => review.category === category);
    const list = paginate(ofCategory.map(summariseReview(content)), query);
    return (
      list && {
        text,
        parent: content.pages.reviews.heading,
        categories: reviewSections(content),
        path: `/reviews/${category}`,
        list,
        next: nextStep(content, 'consultation'),
      }
    );
  },
  head: ({ text, parent, path, list }) => ({
    path: pagePath(path, list.page),
    title: pageTitle(text.title, list.page),
    description: text.description,
    crumbs: [
      { path: '/reviews', text: parent },
      { path, text: text.text },
    ],
    subjects: [listSubject(list, reviewEntry)],
    ...neighbours(path, list.page, list.pages),
  }),
  dates: ({ list }) => list.items.map(({ published }) => published),
  Body: ({ text, categories, path, list, next }) => (
    <ReviewList text={text} categories={categories} path={path} list={list} next={next} />
  ),
});

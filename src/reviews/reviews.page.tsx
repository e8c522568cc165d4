import { nextStep } from '../design/callout.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { listSubject } from '../document/list-subject.ts';
import { definePage } from '../document/page.ts';
import { reviewEntry, summariseReview } from './review-card.tsx';
import { ReviewList, reviewSections } from './review-list.tsx';

const path = '/reviews';

/** All reviews, with links to their categories. */
export const reviews = definePage({
  name: 'reviews',
  query: ['page'],
  props(content, _params, query) {
    const { heading, title, description, lead } = content.pages.reviews;
    const list = paginate(content.reviews.map(summariseReview(content)), query);
    return (
      list && {
        text: { heading, title, description, lead },
        categories: reviewSections(content),
        list,
        next: nextStep(content, 'consultation'),
      }
    );
  },
  head: ({ text, list }) => ({
    path: pagePath(path, list.page),
    title: pageTitle(text.title, list.page),
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    subjects: [listSubject(list, reviewEntry)],
    ...neighbours(path, list.page, list.pages),
  }),
  dates: ({ list }) => list.items.map(({ published }) => published),
  Body: ({ text, categories, list, next }) => (
    <ReviewList text={text} categories={categories} path={path} list={list} next={next} />
  ),
});

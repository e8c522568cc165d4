import { expect, test } from '@jest/globals';
import { shownSite } from '../../tests/support/test-site.ts';
import { service } from './service.page.tsx';

test('a service links to a review on the page of its category that contains it', async () => {
  const { content } = await shownSite();
  const review = content.reviews.find(({ service }) => service !== '');
  if (!review) throw new Error('The content has no review of a service.');
  const newer = Array.from({ length: 10 }, (_, n) => ({ ...review, slug: `newer-${n}`, service: '/services/other' }));
  const elsewhere = { ...review, category: 'elsewhere', service: '/services/other' };
  const reviews = [elsewhere, ...newer, { ...review, sample: false }];
  const slug = review.service.replace(/^.*\//, '');
  const view = service.open({ ...content, reviews }, { slug }, {});
  expect(JSON.stringify(view?.data)).toContain(`"/reviews/${review.category}?page=2#${review.slug}"`);
});

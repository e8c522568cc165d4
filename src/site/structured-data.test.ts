import { describe, expect, test } from '@jest/globals';
import type { Span } from '../model/working-hours.ts';
import type { Head, PostFacts } from '../pages/page.ts';
import { shownSite } from '../tests/support/test-site.ts';
import { structuredData } from './structured-data.ts';

const { content } = await shownSite();
const [post] = content.articles;
if (!post) throw new Error('The content has no article.');

const company = { ...content.company, workingHours: { ...content.company.workingHours, timeZone: 'Europe/Moscow' } };

function thingsFor(
  subject: Head['subject'],
  more: Partial<Head> = {},
  of = company,
): Record<string, unknown>[] | undefined {
  const head = { path: '/blog/a', title: '', description: '', crumbs: [], subject, ...more };
  const image = 'https://korob.example/share/a.png';
  const graph = structuredData(head, { company: of, siteUrl: 'https://korob.example', image });
  return graph && JSON.parse(JSON.stringify(graph['@graph']));
}

test.each([
  ['https://rutube.ru/video/0123456789abcdef0123456789abcdef/', 'embedUrl', 'https://rutube.ru/play/embed/'],
  ['https://www.youtube.com/watch?v=0123456789A', 'embedUrl', 'https://www.youtube-nocookie.com/embed/0123456789A'],
  ['/videos/clip.0123456789.mp4', 'contentUrl', 'https://korob.example/videos/clip.0123456789.mp4'],
])('has the player of a video or its file: %s', (href, property, address) => {
  const video = { duration: 'PT3M', href };
  const [, about] = thingsFor({ ...post, video }) ?? [];
  expect(String(about?.[property])).toMatch(new RegExp(`^${RegExp.escape(address)}`));
  expect(about).not.toHaveProperty(property === 'embedUrl' ? 'contentUrl' : 'embedUrl');
  expect(about).toMatchObject({ url: 'https://korob.example/blog/a', isFamilyFriendly: true, inLanguage: 'ru' });
});

test('is absent from pages that are about nothing or excluded from search engines', () => {
  expect(thingsFor('company')).toHaveLength(1);
  expect([thingsFor(undefined), thingsFor('company', { noindex: true })]).toEqual([undefined, undefined]);
});

describe('an article', () => {
  const facts: PostFacts = {
    ...{ heading: 'Заголовок', description: 'Описание', body: post.body },
    ...{ published: '2026-11-20', updated: '2026-11-25', author: 'Анна Крылова, аналитик, Москва' },
  };

  test('has its dates as midnight of the company, and separates the name of its author from the job title', () => {
    expect(thingsFor(facts)).toMatchObject([
      {
        ...{ '@type': 'Article', headline: 'Заголовок', description: 'Описание', inLanguage: 'ru' },
        ...{ datePublished: '2026-11-20T00:00:00+03:00', dateModified: '2026-11-25T00:00:00+03:00' },
        ...{ url: 'https://korob.example/blog/a', mainEntityOfPage: 'https://korob.example/blog/a' },
        author: { '@type': 'Person', name: 'Анна Крылова', jobTitle: 'аналитик, Москва' },
        publisher: { '@type': 'Organization', name: company.name },
      },
    ]);
  });
});

test('the company has the addresses of its networks, and not those that only open an application', () => {
  const social = ['https://t.me/korob', 'viber://chat?number=1', 'https://vk.com/korob'].map((href) => ({
    ...{ kind: 'network' as const, text: 'А', href },
  }));
  const monday: Span[] = [
    ['09:00', '13:00'],
    ['14:00', '20:00'],
  ];
  const week = [monday, [], [], [], [], [], [['10:00', '15:00']] as Span[]];
  const [about] =
    thingsFor('company', {}, { ...company, social, workingHours: { ...company.workingHours, week } }) ?? [];
  expect(about).toMatchObject({
    ...{ '@type': 'LocalBusiness', url: 'https://korob.example/', hasMap: 'https://korob.example/contacts' },
    ...{ logo: 'https://korob.example/apple-touch-icon.png', foundingDate: String(company.founded) },
    sameAs: ['https://t.me/korob', 'https://vk.com/korob'],
    openingHoursSpecification: [
      { dayOfWeek: 'Monday', opens: '09:00', closes: '13:00' },
      { dayOfWeek: 'Monday', opens: '14:00', closes: '20:00' },
      { dayOfWeek: 'Sunday', opens: '10:00', closes: '15:00' },
    ],
  });
});

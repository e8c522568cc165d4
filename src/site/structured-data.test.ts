import { expect, test } from '@jest/globals';
import { shownSite } from '../tests/support/test-site.ts';
import { structuredData } from './structured-data.ts';

const { content } = await shownSite();
const [post] = content.articles;

test.each([
  ['https://rutube.ru/video/0123456789abcdef0123456789abcdef/', 'embedUrl', 'https://rutube.ru/play/embed/'],
  ['https://www.youtube.com/watch?v=0123456789A', 'embedUrl', 'https://www.youtube-nocookie.com/embed/0123456789A'],
  ['/videos/clip.0123456789.mp4', 'contentUrl', 'https://korob.example/videos/clip.0123456789.mp4'],
])('has the player of a video or its file: %s', (href, property, address) => {
  if (!post) throw new Error('The content has no article.');
  const video = { sample: false, duration: 'PT3M', href };
  const head = { path: '/x', title: '', description: '', crumbs: [], about: { ...post, video } };
  const graph = structuredData(head, { company: content.company, siteUrl: 'https://korob.example', image: '' });
  expect(JSON.stringify(graph)).toContain(`"${property}":"${address}`);
});

import { expect, test } from '@jest/globals';
import { isEmbeddable, playerOf } from './player.ts';

const hosts = ['rutube.ru', '*.okcdn.ru', 'player.example:8443'];

test.each([
  'https://rutube.ru/play/embed/1',
  'https://RUTUBE.ru/live',
  'https://vd1.okcdn.ru/live.m3u8',
  'https://a.b.okcdn.ru/',
  'https://player.example:8443/1',
])('%s may be shown', (address) => {
  expect(isEmbeddable(address, hosts)).toBe(true);
});

test.each([
  'http://rutube.ru/play/embed/1',
  'https://rutube.ru.evil.example/',
  'https://evil.example/rutube.ru',
  'https://rutube.ru@evil.example/',
  'https://my.rutube.ru/',
  'https://okcdn.ru/',
  'https://evilokcdn.ru/',
  'https://player.example/1',
  'https://rutube.ru:444/',
  'javascript:alert(1)',
  'rutube.ru',
  '',
])('%j is linked to', (address) => {
  expect(isEmbeddable(address, hosts)).toBe(false);
});

test('where the operator names no host, nothing is shown', () => {
  expect(isEmbeddable('https://rutube.ru/', [])).toBe(false);
});

const hex = '0123456789abcdef0123456789abcdef';
const youtube = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';
const vk = 'https://vkvideo.ru/video_ext.php?oid=-220754053&id=456243454';

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', youtube],
  ['https://youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&t=10s', youtube],
  ['https://youtu.be/dQw4w9WgXcQ?si=abc', youtube],
  ['https://www.youtube.com/live/dQw4w9WgXcQ?feature=shared', youtube],
  ['http://m.youtube.com/shorts/dQw4w9WgXcQ', youtube],
  ['https://vkvideo.ru/video-220754053_456243454', vk],
  ['https://vkvideo.ru/playlist/-220754053_3/video-220754053_456243454', vk],
  ['https://m.vk.com/video-220754053_456243454?list=abc', vk],
  ['https://vk.com/videos-220754053?z=video-220754053_456243454%2Fclub220754053', vk],
  ['https://vk.com/video1_2', 'https://vkvideo.ru/video_ext.php?oid=1&id=2'],
  [`https://rutube.ru/video/${hex}/`, `https://rutube.ru/play/embed/${hex}/`],
  [`https://rutube.ru/live/video/${hex}/?r=wd`, `https://rutube.ru/play/embed/${hex}/`],
  [`https://rutube.ru/video/private/${hex}/?p=k-e_y`, `https://rutube.ru/play/embed/${hex}/?p=k-e_y`],
])('the player of %s', (page, player) => {
  expect(playerOf(page)).toBe(player);
});

test.each([
  youtube,
  vk,
  'https://vk.com/video_ext.php?oid=-1&id=2&hash=3',
  'https://vkvideo.ru/@club',
  `https://rutube.ru/play/embed/${hex}`,
  'https://rutube.ru/channel/1/',
  'https://www.youtube.com/@channel/live',
  'https://evil.example/?https://youtu.be/dQw4w9WgXcQ',
  'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
  'https://video.example/live.mp4',
])('%s stays as it is', (address) => {
  expect(playerOf(address)).toBe(address);
});

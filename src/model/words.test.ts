import { describe, expect, test } from '@jest/globals';
import { plural } from '../lib/plural.ts';
import { slugOf } from '../lib/slug.ts';
import { ignoredParameters, isCampaign } from './campaign.ts';
import { mainPrices } from './main-prices.ts';
import { plainText } from './plain-text.ts';
import { isEmbeddable, playerOf } from './player-address.ts';
import { typeset, typesetPage } from './typography.ts';

describe('query parameters of campaigns', () => {
  test.each(['utm_anything', 'ttclid', 'vk_ads', 'from'])('include %s', (name) => {
    expect(isCampaign(['page', name])).toBe(true);
  });

  test('exclude those that search engines add and those that pages read', () => {
    expect(isCampaign(['ysclid', 'page', 'reference'])).toBe(false);
  });

  test('are in the list for search engines, together with those that search engines add', () => {
    expect(ignoredParameters).toEqual(expect.arrayContaining(['utm_source', 'ysclid']));
  });
});

test('a price group starts with the row that the editor chose, at its lowest price', () => {
  const row = (id: string, prices: number[]) => ({
    ...{ id, text: '', unit: 'шт.' },
    tiers: prices.map((price, index) => ({ from: index + 1, price })),
  });
  const group = {
    ...{ id: 'fulfillment', title: 'Фулфилмент' },
    lead: [{ rate: 'fbs', text: 'FBS' }],
    rows: [row('counting', [300]), row('fbs', [5800, 3900, 4400])],
  };
  expect(mainPrices(group)).toEqual([{ text: 'FBS', unit: 'шт.', from: 3900 }]);
});

test('plain text keeps words whole, and ends each block with a full stop', () => {
  const html = '<h2 id="a">Раз</h2>\n<p>два <b>т</b>ри&nbsp;&lt;4&gt; «<a href="/">пять</a>».</p><p>Шесть</p>\n';
  expect(plainText(html)).toBe('Раз. два три&nbsp;<4> «пять». Шесть.');
});

describe('video players', () => {
  const hosts = ['rutube.ru', '*.okcdn.ru', 'player.example:8443'];

  test.each([
    '/videos/1.mp4',
    'https://rutube.ru/play/embed/1',
    'https://vd1.okcdn.ru/live.m3u8',
    'https://player.example:8443/1',
  ])('%s may be embedded', (address) => {
    expect(isEmbeddable(address, hosts)).toBe(true);
  });

  test.each([
    'http://rutube.ru/play/embed/1',
    'https://rutube.ru.evil.example/',
    'https://rutube.ru@evil.example/',
    'https://okcdn.ru/',
    'https://evilokcdn.ru/',
    'https://rutube.ru:444/',
    '//evil.example/1.mp4',
    '',
  ])('%j is only linked to', (address) => {
    expect(isEmbeddable(address, hosts)).toBe(false);
  });

  const hex = '0123456789abcdef0123456789abcdef';
  const youtube = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';
  const vk = 'https://vkvideo.ru/video_ext.php?oid=-220754053&id=456243454';

  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', youtube],
    ['https://youtu.be/dQw4w9WgXcQ?si=abc', youtube],
    ['http://m.youtube.com/shorts/dQw4w9WgXcQ', youtube],
    ['https://vkvideo.ru/playlist/-220754053_3/video-220754053_456243454', vk],
    ['https://vk.com/videos-220754053?z=video-220754053_456243454%2Fclub220754053', vk],
    [`https://rutube.ru/live/video/${hex}/?r=wd`, `https://rutube.ru/play/embed/${hex}/`],
    [`https://rutube.ru/video/private/${hex}/?p=k-e_y`, `https://rutube.ru/play/embed/${hex}/?p=k-e_y`],
  ])('the player of %s has an embeddable address', (page, player) => {
    expect(playerOf(page)).toBe(player);
  });

  test.each([
    'https://vk.com/video_ext.php?oid=-1&id=2&hash=3',
    `https://rutube.ru/play/embed/${hex}`,
    'https://www.youtube.com/@channel/live',
    'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
    'https://video.example/live.mp4',
  ])('%s is unchanged', (address) => {
    expect(playerOf(address)).toBe(address);
  });
});

describe('typography', () => {
  const nbsp = '\u00A0';

  test.each([
    ['"Короб" - в Москве', `«Короб»${nbsp}— в${nbsp}Москве`],
    ['до 1 500 000 единиц', `до${nbsp}1${nbsp}500${nbsp}000${nbsp}единиц`],
    ['короб 60x40х40 см весит', `короб 60×40×40${nbsp}см весит`],
    ['раздел, стр. 4, 12 см. Потом', `раздел, стр.${nbsp}4, 12${nbsp}см. Потом`],
    ['вс - выходной', `вс${nbsp}—${nbsp}выходной`],
    ['Варшавский пр., 2', `Варшавский пр.,${nbsp}2`],
    ['закон № 152', `закон №\u202F152`],
    ['И так далее...', `И${nbsp}так далее…`],
    ['<p>"Нет</p><p>"Да"</p>', '<p>«Нет</p><p>«Да»</p>'],
    ['диагональ 15" и "Ёж"', `диагональ 15" и${nbsp}«Ёж»`],
    ['<p>&quot;<b>Да</b>&quot; и <i>&quot;нет&quot;</i></p>', `<p>«<b>Да</b>» и${nbsp}<i>«нет»</i></p>`],
    ['<td title="a - b">в доме</td>', `<td title="a - b">в${nbsp}доме</td>`],
  ])('%s', (plain, expected) => {
    expect(typeset(plain)).toBe(expected);
    expect(typeset(expected)).toBe(expected);
  });

  test.each([
    '<pre><code class="x">a - "b"</code></pre>',
    '<textarea name="a">от 1–2 до "3" - 4</textarea>',
    '<bdi>ООО "Ромашка" - 5 кг, 300–400 шт...</bdi>',
  ])('%s is unchanged', (html) => {
    expect(typesetPage(html)).toBe(html);
  });

  test('keeps a range or a unit on one line', () => {
    expect(typesetPage('<p title="1–2">1–2 дня</p>')).toBe(`<p title="1–2">1–\u20602${nbsp}дня</p>`);
    expect(typesetPage('5 кг/м³, и/или')).toBe(`5${nbsp}кг/\u2060м³, и/или`);
  });
});

describe('plurals', () => {
  test.each([
    ['короб', [1, 21, 101]],
    ['короба', [2, 4, 22]],
    ['коробов', [0, 5, 11, 14, 20, 111]],
  ])('%s follows %j', (form, counts) => {
    expect(counts.map((count) => plural(count, ['короб', 'короба', 'коробов']))).toEqual(counts.map(() => form));
  });
});

describe('slugs', () => {
  test.each([
    ['«Съёмка»: щётки, ёлки — 50 % за FBO!', 'semka-shchetki-elki-50-za-fbo'],
    ['  -- ', ''],
    [`Слово ${'длинное '.repeat(20)}`, `slovo${'-dlinnoe'.repeat(6)}`],
  ])('%s', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });
});

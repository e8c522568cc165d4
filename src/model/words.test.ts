import { describe, expect, test } from '@jest/globals';
import { plural } from '../lib/plural.ts';
import { slugOf } from '../lib/slug.ts';
import { isCampaign, pageIsTheSame } from './campaign.ts';
import { leadPrices } from './lead-prices.ts';
import { plainText } from './plain-text.ts';
import { isEmbeddable, playerOf } from './player.ts';
import { typeset, typesetPage } from './typography.ts';

describe('marks of campaigns', () => {
  test.each([
    'utm_source',
    'utm_anything',
    'yclid',
    'ttclid',
    'erid',
    'vk_ads',
    'campaign_id',
    'roistat_visit',
    'from',
  ])('%s marks a campaign', (name) => {
    expect(isCampaign(['page', name])).toBe(true);
  });

  test('what search adds, and what pages read, mark none', () => {
    expect(isCampaign(['ysclid', 'etext', 'page', 'q', 'preset', 'units', 'reference'])).toBe(false);
  });

  test('search engines are told of both', () => {
    expect(pageIsTheSame).toEqual(expect.arrayContaining(['utm_source', 'yclid', 'erid', 'from', 'ysclid', 'etext']));
  });
});

describe('leading prices', () => {
  const row = (id: string, prices: number[]) => ({
    id,
    text: `Строка ${id}`,
    unit: 'шт.',
    tiers: prices.map((price, index) => ({ from: index + 1, price })),
  });

  test('leads with what the editor chose, at its lowest price, however little another row costs', () => {
    const group = {
      id: 'fulfillment',
      title: 'Фулфилмент',
      lead: [
        { rate: 'fbs', text: 'FBS' },
        { rate: 'fbo', text: 'FBO' },
      ],
      rows: [row('counting', [300]), row('fbo', [1500, 900]), row('fbs', [5800, 3900, 4400])],
    };
    expect(leadPrices(group)).toEqual([
      { text: 'FBS', unit: 'шт.', from: 3900 },
      { text: 'FBO', unit: 'шт.', from: 900 },
    ]);
  });
});

describe('plain text', () => {
  test('keeps words whole, and sets apart what stands in blocks of its own', () => {
    expect(
      plainText('<h2 id="a">Раз</h2>\n<p>два <b>т</b>ри&nbsp;&lt;4&gt; «<a href="/">пять</a>».</p><p>Шесть</p>\n'),
    ).toBe('Раз. два три&nbsp;<4> «пять». Шесть.');
  });
});

describe('players of videos', () => {
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
});

describe('typography', () => {
  const nbsp = '\u00A0';

  test.each([
    ['"Короб" - в Москве', `«Короб»${nbsp}— в${nbsp}Москве`],
    ['за 5 кг', `за${nbsp}5${nbsp}кг`],
    ['НДС 22 %', `НДС 22${nbsp}%`],
    ['до 1 500 000 единиц', `до${nbsp}1${nbsp}500${nbsp}000${nbsp}единиц`],
    ['от 4 800 ₽', `от${nbsp}4${nbsp}800${nbsp}₽`],
    ['короб 60x40х40 см весит', `короб 60×40×40${nbsp}см весит`],
    ['3 и 4 из 5 по 20', `3${nbsp}и 4${nbsp}из 5${nbsp}по 20`],
    ['в\nкоробе', `в${nbsp}коробе`],
    ['раздел, стр. 4, 12 см. Потом', `раздел, стр.${nbsp}4, 12${nbsp}см. Потом`],
    ['закон № 152', `закон №\u202F152`],
    ['И так далее...', `И${nbsp}так далее…`],
    ['ООО "Ромашка" и "Роза"', `ООО${nbsp}«Ромашка» и${nbsp}«Роза»`],
    ['<p>"Нет</p><p>"Да"</p>', '<p>«Нет</p><p>«Да»</p>'],
    ['диагональ 15" и "Ёж"', `диагональ 15" и${nbsp}«Ёж»`],
    ['<p>&quot;<b>Да</b>&quot; и <i>&quot;нет&quot;</i></p>', `<p>«<b>Да</b>» и${nbsp}<i>«нет»</i></p>`],
    ['<td title="a - b">в доме</td>', `<td title="a - b">в${nbsp}доме</td>`],
    ['5 < 6 - 1', `5 < 6${nbsp}— 1`],
  ])('%s', (plain, expected) => {
    expect(typeset(plain)).toBe(expected);
    expect(typeset(expected)).toBe(expected);
  });

  test.each([
    '<code>"a" - b</code>',
    '<pre><code class="x">a - "b"</code></pre>',
    '<textarea name="a">от 1–2 до "3" - 4</textarea>',
    '<bdi>ООО "Ромашка" - 5 кг, 300–400 шт...</bdi>',
    '1/2',
    '<a href="tel:+78000000000">000-00-00</a>',
  ])('%s stays as written', (html) => {
    expect(typesetPage(html)).toBe(html);
  });

  test('a range does not wrap on a page', () => {
    expect(typesetPage('<p title="1–2">1–2 дня</p>')).toBe(`<p title="1–2">1–\u20602${nbsp}дня</p>`);
  });
});

describe('plurals', () => {
  test.each([
    ['короб', [1, 21, 101, 1001]],
    ['короба', [2, 3, 4, 22, 104]],
    ['коробов', [0, 5, 10, 11, 12, 14, 20, 25, 111, 114, 1000]],
  ])('%s stands after %j', (form, counts) => {
    expect(counts.map((count) => plural(count, ['короб', 'короба', 'коробов']))).toEqual(counts.map(() => form));
  });
});

describe('slugs', () => {
  test.each([
    ['Рейсы в новый центр', 'rejsy-v-novyj-centr'],
    ['«Съёмка»: щётки, ёлки — 50 % за FBO!', 'semka-shchetki-elki-50-za-fbo'],
    ['  -- ', ''],
    [`Слово ${'длинное '.repeat(20)}`, `slovo${'-dlinnoe'.repeat(6)}`],
    ['а'.repeat(200), 'a'.repeat(60)],
  ])('%s', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });
});

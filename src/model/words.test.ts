import { describe, expect, test } from '@jest/globals';
import { plural } from '../lib/plural.ts';
import { cyrillicOf, slugOf } from '../lib/slug.ts';
import { proseOf } from '../tests/support/prose-of.ts';
import { isReserved, isSecret } from './addresses.ts';
import { ignoredParameters, isCampaign, joinParameters } from './campaign.ts';
import { isEmbeddable, isVideoSitePage, plainVideo, playerHosts, playerOf, videoFile } from './player-address.ts';
import { generalPresetOf, presetTitle } from './preset-title.ts';
import { presetsSchema } from './schemas/presets-schema.ts';
import { typeset, typesetPage } from './typography.ts';
import { published } from './written-page.ts';

describe('query parameters of campaigns', () => {
  test('are those in the list for search engines that search engines do not add themselves, and names like them', () => {
    const marks = [...ignoredParameters].filter((name) => !['ysclid', 'etext'].includes(name));
    expect(marks).toContain('utm_source');
    for (const name of [...marks, 'utm_anything', 'ttclid', 'vk_ads', 'campaign_id', 'roistat_referrer'])
      expect([name, isCampaign(['page', name])]).toEqual([name, true]);
    for (const name of ['ysclid', 'etext', 'page', 'q', 'reference', 'from_x', 'utm', 'my_campaign'])
      expect([name, isCampaign([name])]).toEqual([name, false]);
  });

  test.each([
    ['UTM_Source', 'utm_source'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['a'.repeat(41), undefined],
    ['a b', undefined],
    ['__proto__', undefined],
    ['calc', undefined],
  ])('have lower-case names of at most 40 letters, digits and underscores: %j is read as %j', (typed, name) => {
    expect(Object.keys(joinParameters([[typed, 'x']]))).toEqual(name === undefined ? [] : [name]);
  });
});

describe('an address', () => {
  test.each(['/contact', '/broadcast', '/video-broadcast', '/healthz', '/readyz', '/take', '/desk', '/admin'])(
    '%s is reserved with all below it, and nothing that only begins like it',
    (path) => {
      expect([path, `${path}/`, `${path}/x`, `${path}s`, `/x${path}`].map(isReserved)).toEqual([
        ...[true, true, true, false, false],
      ]);
    },
  );

  test.each([
    ['/contact/AAAA', true],
    ['/take/1.2.abc', true],
    ['/desk', true],
    ['/Desk/link/abc', true],
    ['/contact', false],
    ['/desktop', false],
    ['/rates/contact/x', false],
  ])('%s is kept from analytics as secret: %j', (path, secret) => {
    expect(isSecret(path)).toBe(secret);
  });
});

test('drafts and scheduled posts are not published', () => {
  const [draft, scheduled, shown] = [{ unpublished: 'draft' }, { unpublished: 'scheduled' }, {}] as const;
  expect(published([draft, shown, scheduled])).toEqual([shown]);
});

test('a form has the title of its preset, and the slug of a preset that was deleted', () => {
  const [preset] = presetsSchema.parse([
    {
      ...{ slug: 'request', title: 'Оставить заявку', description: 'Что-нибудь', image: '/images/a.svg' },
      ...{ button: 'Отправить', name: true, message: 'none' },
    },
  ]);
  const presets = preset ? [preset] : [];
  expect(['request', 'bonus'].map((slug) => presetTitle({ presets }, slug))).toEqual(['Оставить заявку', 'bonus']);
  expect(generalPresetOf({ presets })).toEqual({ slug: 'request', title: 'Оставить заявку' });
});

test.each([
  ['## Раз\n\nдва **т**ри <4> «[пять](/)».\n\nШесть', 'Раз. два три <4> «пять». Шесть.'],
  ['- раз\n- два;\n- три…\n  - пять', 'раз. два; три… пять.'],
  ['Раз!\n\nДва?\n\nТри:', 'Раз! Два? Три:'],
  ['| Короб | Цена |\n|---|---|\n| S | 5 |', 'Короб · Цена. S · 5.'],
  ['![нет](a.png "Подпись")', 'Подпись'],
])('the text of %j keeps words whole, and ends each line with a full stop', (markdown, text) => {
  expect(proseOf(markdown).text).toBe(text);
});

test('the parts of a text begin at its headings, and text before them is a part without one', () => {
  const partsOf = (markdown: string) =>
    proseOf(markdown).parts.map(({ heading, blocks }) => [heading?.id, blocks.map(({ type }) => type)]);
  expect(partsOf('До\n\n## А\n\nРаз\n\n### Б\n\nДва\n\n## В')).toEqual([
    [undefined, ['paragraph']],
    ['а', ['paragraph', 'heading', 'paragraph']],
    ['в', []],
  ]);
  expect(partsOf('До')).toEqual([[undefined, ['paragraph']]]);
  expect(partsOf('')).toEqual([]);
});

test('the minutes of reading are those of 184 words each, and at least one', () => {
  const minutes = [0, 275, 276, 460].map((count) => proseOf('слово '.repeat(count)).minutes);
  expect(minutes).toEqual([1, 1, 2, 3]);
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
    'https://evilokcdn.ru/',
    'https://rutube.ru.okcdn.ru.evil.example/',
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
    ['https://www.youtube.com/live/dQw4w9WgXcQ?feature=share', youtube],
    ['https://vk.com/video_ext.php?oid=-220754053&id=456243454', vk],
    [`https://rutube.ru/video/${hex}/?a=1&p=key`, `https://rutube.ru/play/embed/${hex}/?p=key`],
    ['https://vkvideo.ru/playlist/-220754053_3/video-220754053_456243454', vk],
    ['https://vk.com/videos-220754053?z=video-220754053_456243454%2Fclub220754053', vk],
    [`https://rutube.ru/video/private/${hex}/?p=k-e_y`, `https://rutube.ru/play/embed/${hex}/?p=k-e_y`],
  ])('the player of %s has an embeddable address', (page, player) => {
    expect(playerOf(page)).toBe(player);
    expect([isEmbeddable(player, playerHosts), isEmbeddable(player, [])]).toEqual([true, false]);
  });

  test.each([
    'https://rutube.ru/channel/123/',
    'https://www.youtube.com/playlist?list=PL1',
    'https://vk.com/club1',
    'https://live.vkvideo.ru/a',
  ])('%s is a page and no player, and never embedded', (page) => {
    const everywhere = [...playerHosts, ...['*.rutube.ru', '*.youtube.com', 'youtu.be', 'vk.com', '*.vkvideo.ru']];
    expect([isVideoSitePage(playerOf(page)), isEmbeddable(playerOf(page), everywhere)]).toEqual([true, false]);
  });

  test.each([
    `https://rutube.ru/play/embed/${hex}`,
    'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXc',
    `https://rutube.ru/video/${hex.slice(1)}/`,
  ])('%s is unchanged', (address) => {
    expect(playerOf(address)).toBe(address);
  });
});

test.each([
  ['https://a.ru/1.mp4', true, true],
  ['https://a.ru/1.WEBM?token=2', true, true],
  ['https://a.ru/live.m3u8', true, false],
  ['https://a.ru/1.mp4x', false, false],
  ['https://rutube.ru/video/1/', false, false],
])('%s is a video file: %j, which every browser plays: %j', (address, file, plain) => {
  expect([videoFile.test(address), plainVideo.test(address)]).toEqual([file, plain]);
});

describe('typography', () => {
  const nbsp = '\u00A0';

  test.each([
    ['"Короб" - в Москве', `«Короб»${nbsp}— в${nbsp}Москве`],
    ['до 1 500 000 единиц', `до${nbsp}1${nbsp}500${nbsp}000${nbsp}единиц`],
    ['короб 60x40х40 см весит', `короб 60×40×40${nbsp}см весит`],
    ['60 см х 40 см', `60${nbsp}см × 40${nbsp}см`],
    ['100* 200, 3х, https://a.ru/1', '100* 200, 3х, https://a.ru/1'],
    ['<a href="/">https://a.ru/60x40</a>', '<a href="/">https://a.ru/60x40</a>'],
    ['слово , да ; нет ! вот . Так ?', 'слово, да; нет! вот. Так?'],
    ['вс - выходной', `вс${nbsp}—${nbsp}выходной`],
    ['закон № 152', `закон №\u202F152`],
    ['скидка 5 % от 100 ₽', `скидка 5${nbsp}% от${nbsp}100${nbsp}₽`],
    [
      'рис. 4, ул. Новая, им. Попова, пр. Мира, д. 2, г. Москва',
      `рис.${nbsp}4, ул.${nbsp}Новая, им.${nbsp}Попова, пр.${nbsp}Мира, д.${nbsp}2, г.${nbsp}Москва`,
    ],
    ['раз -- два – три', `раз${nbsp}— два${nbsp}— три`],
    ['И так далее...', `И${nbsp}так далее…`],
    ['<p>"Нет</p><p>"Да"</p>', '<p>«Нет</p><p>«Да»</p>'],
    ['диагональ 15" и "Ёж"', `диагональ 15" и${nbsp}«Ёж»`],
    ['"Торговый дом "Пример""', '«Торговый дом „Пример“»'],
    ['"Раз "Два "Три"""', '«Раз „Два «Три»“»'],
    ['("Раз "Два"") - "Три"-"Пять"', `(«Раз „Два“»)${nbsp}— «Три»-«Пять»`],
    [`"L'Oréal", "Раз!" "Два:"`, "«L'Oréal», «Раз!» «Два:»"],
    ['<p>&quot;<b>&quot;Раз&quot; два</b>&quot;</p>', '<p>«<b>„Раз“ два</b>»</p>'],
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
    expect(typesetPage(html).html).toBe(html);
  });

  test('keeps a range or a unit on one line', () => {
    const set = (html: string) => typesetPage(html).html;
    expect(set('<p title="1–2">1–2 дня</p>')).toBe(`<p title="1–2">1–\u20602${nbsp}дня</p>`);
    expect(set('сб–вс, Москва–Тула')).toBe('сб–\u2060вс, Москва–Тула');
    expect(set('5 кг/м³, и/или')).toBe(`5${nbsp}кг/\u2060м³, и/или`);
  });

  test('sets what an image shows, and finds the tags of a page once each', () => {
    const { html, tags } = typesetPage('<p><img alt="5 кг" src="/a b 5 c.png"/><i>"да"</i><i>нет</i></p>');
    expect(html).toBe(`<p><img alt="5${nbsp}кг" src="/a b 5 c.png"/><i>«да»</i><i>нет</i></p>`);
    expect([...tags]).toEqual(['<p>', '<img alt="5 кг" src="/a b 5 c.png"/>', '<i>', '</i>', '</p>']);
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
    [`Слово ${'длинное '.repeat(20)}`, `slovo${'-dlinnoe'.repeat(6)}`],
    ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя', 'abvgdeezhzijklmnoprstufhcchshshchyeyuya'],
  ])('%s', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test.each([
    ['dostavka', 'доставка'],
    ['Shchetki', 'щетки'],
    ['khranenie', 'хранение'],
    ['yozhik', 'ёжик'],
    ['web-sklad', 'веб-склад'],
  ])('and words in Latin letters are read in Cyrillic: %s is %s', (latin, cyrillic) => {
    expect(cyrillicOf(latin)).toBe(cyrillic);
  });
});

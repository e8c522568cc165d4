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
  const marks = [
    ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'utm_id', 'utm_referrer'],
    ...['yclid', 'ymclid', 'gclid', 'fbclid', 'gbraid', 'wbraid', 'rb_clickid', 'roistat', 'erid'],
    ...['_openstat', 'openstat', 'rs', 'cm_id', 'campaign', 'from', 'ref', 'source'],
  ];

  test.each([...marks, 'utm_anything', 'ttclid', 'vk_ads', 'campaign_id', 'roistat_referrer'])('include %s', (name) => {
    expect(isCampaign(['page', name])).toBe(true);
  });

  test.each(['ysclid', 'etext', 'page', 'preset', 'q', 'reference', 'from_x', 'utm', 'vk', 'clid_x', 'my_campaign'])(
    'exclude %s, which search engines add or pages read',
    (name) => {
      expect(isCampaign([name])).toBe(false);
    },
  );

  test('are in the list for search engines, together with those that search engines add', () => {
    expect([...ignoredParameters].sort()).toEqual([...marks, 'ysclid', 'etext'].sort());
  });

  test.each([
    ['UTM_Source', 'utm_source'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['a'.repeat(41), undefined],
    ['', undefined],
    ['a-b', undefined],
    ['a b', undefined],
    ['метка', undefined],
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
    ['/CONTACT/AAAA', true],
    ['/take/1.2.abc', true],
    ['/desk', true],
    ['/desk/', true],
    ['/Desk/link/abc', true],
    ['/contact', false],
    ['/contacts/x', false],
    ['/desktop', false],
    ['/rates/desk', false],
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
  ['Раз\nдва **т**ри![нет](a.png) `че`тыре', 'Раз два три четыре.'],
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
    'https://okcdn.ru/',
    'https://evilokcdn.ru/',
    'https://rutube.ru:444/',
    'https://rutube.ru.okcdn.ru.evil.example/',
    'ftp://rutube.ru/1',
    'rutube.ru/1',
    '//evil.example/1.mp4',
    '/',
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
    ['https://www.youtube.com/live/dQw4w9WgXcQ?feature=share', youtube],
    ['https://youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=5', youtube],
    ['https://youtube.com/embed/dQw4w9WgXcQ', youtube],
    ['https://vk.com/video_ext.php?oid=-220754053&id=456243454', vk],
    ['https://vk.com/clip-220754053_456243454', vk],
    ['https://m.vk.ru/video-220754053_456243454', vk],
    ['https://vkvideo.ru/video1_2', 'https://vkvideo.ru/video_ext.php?oid=1&id=2'],
    [`https://rutube.ru/shorts/${hex}/`, `https://rutube.ru/play/embed/${hex}/`],
    [`https://rutube.ru/video/${hex}/?a=1&p=key`, `https://rutube.ru/play/embed/${hex}/?p=key`],
    ['https://vkvideo.ru/playlist/-220754053_3/video-220754053_456243454', vk],
    ['https://vk.com/videos-220754053?z=video-220754053_456243454%2Fclub220754053', vk],
    [`https://rutube.ru/live/video/${hex}/?r=wd`, `https://rutube.ru/play/embed/${hex}/`],
    [`https://rutube.ru/video/private/${hex}/?p=k-e_y`, `https://rutube.ru/play/embed/${hex}/?p=k-e_y`],
  ])('the player of %s has an embeddable address', (page, player) => {
    expect(playerOf(page)).toBe(player);
    expect([isEmbeddable(player, playerHosts), isEmbeddable(player, [])]).toEqual([true, false]);
  });

  test.each([
    ...[
      'https://rutube.ru/channel/123/',
      'https://rutube.ru/',
      'https://rutube.ru/plst/1/',
      'https://studio.rutube.ru/a',
    ],
    ...['https://www.youtube.com/@name', 'https://www.youtube.com/playlist?list=PL1', 'https://youtu.be/'],
    ...[
      'https://vk.com/club1',
      'https://vkvideo.ru/@name',
      'https://vkvideo.ru/playlist/-1_2',
      'https://live.vkvideo.ru/a',
    ],
  ])('%s is a page and no player, and never embedded', (page) => {
    const everywhere = [...playerHosts, ...['*.rutube.ru', '*.youtube.com', 'youtu.be', 'vk.com', '*.vkvideo.ru']];
    expect([isVideoSitePage(playerOf(page)), isEmbeddable(playerOf(page), everywhere)]).toEqual([true, false]);
  });

  test.each([
    'https://vkvideo.ru/video_ext.php?oid=-1&id=2&hash=3',
    `https://rutube.ru/play/embed/${hex}`,
    'https://www.youtube.com/@channel/live',
    'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ1',
    'https://youtu.be/dQw4w9WgXc',
    `https://rutube.ru/video/${hex.slice(1)}/`,
    'https://video.example/live.mp4',
  ])('%s is unchanged', (address) => {
    expect(playerOf(address)).toBe(address);
  });
});

test.each([
  ['https://a.ru/1.mp4', true, true],
  ['https://a.ru/1.WEBM?token=2', true, true],
  ['/videos/1.webm#t=5', true, true],
  ['https://a.ru/live.m3u8', true, false],
  ['https://a.ru/live.m3u8?a=1', true, false],
  ['https://a.ru/1.mp4x', false, false],
  ['https://a.ru/mp4', false, false],
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
    ['60*40*40, 60X40 и 1,2Х0,8', `60×40×40, 60×40${nbsp}и 1,2×0,8`],
    ['60 * 40 x 40', '60 × 40 × 40'],
    ['60см*40см*40см', '60см×40см×40см'],
    ['60 см х 40 см', `60${nbsp}см × 40${nbsp}см`],
    ['100* 200, 3х, https://a.ru/1', '100* 200, 3х, https://a.ru/1'],
    ['<a href="/">https://a.ru/60x40</a>', '<a href="/">https://a.ru/60x40</a>'],
    ['слово , да ; нет ! вот . Так ?', 'слово, да; нет! вот. Так?'],
    ['раздел, стр. 4, 12 см. Потом', `раздел, стр.${nbsp}4, 12${nbsp}см. Потом`],
    ['вс - выходной', `вс${nbsp}—${nbsp}выходной`],
    ['Варшавский пр., 2', `Варшавский пр.,${nbsp}2`],
    ['закон № 152', `закон №\u202F152`],
    ['статья § 5', `статья §\u202F5`],
    ['скидка 5 % от 100 ₽', `скидка 5${nbsp}% от${nbsp}100${nbsp}₽`],
    ['дома 12 3456', 'дома 12 3456'],
    [
      'ООО Раз, ОАО Два, ЗАО Три, ПАО Пять',
      ['ООО', 'ОАО', 'ЗАО', 'ПАО'].map((form, at) => `${form}${nbsp}${['Раз', 'Два', 'Три', 'Пять'][at]}`).join(', '),
    ],
    ['Новая ул., 2, Новый пер., 3', `Новая ул.,${nbsp}2, Новый пер.,${nbsp}3`],
    ['Новая наб., 2, Новая пл., 3, Новое ш., 4', `Новая наб.,${nbsp}2, Новая пл.,${nbsp}3, Новое ш.,${nbsp}4`],
    [
      'рис. 4, ул. Новая, им. Попова, пр. Мира, д. 2, г. Москва',
      `рис.${nbsp}4, ул.${nbsp}Новая, им.${nbsp}Попова, пр.${nbsp}Мира, д.${nbsp}2, г.${nbsp}Москва`,
    ],
    ['раз -- два – три', `раз${nbsp}— два${nbsp}— три`],
    ['(в Москве)', `(в${nbsp}Москве)`],
    ['И так далее...', `И${nbsp}так далее…`],
    ['<p>"Нет</p><p>"Да"</p>', '<p>«Нет</p><p>«Да»</p>'],
    ['диагональ 15" и "Ёж"', `диагональ 15" и${nbsp}«Ёж»`],
    ['«Монитор 15"»', '«Монитор 15"»'],
    ['"Торговый дом "Пример""', '«Торговый дом „Пример“»'],
    ['«Торговый дом "Пример"»', '«Торговый дом „Пример“»'],
    ['"Раз "Два "Три"""', '«Раз „Два «Три»“»'],
    ['"НПО "Звезда", Москва"', '«НПО „Звезда“, Москва»'],
    ['("Раз "Два"") - "Три"-"Пять"', `(«Раз „Два“»)${nbsp}— «Три»-«Пять»`],
    [`"L'Oréal", "Раз!" "Два:"`, "«L'Oréal», «Раз!» «Два:»"],
    ['<p>&quot;<b>&quot;Раз&quot; два</b>&quot;</p>', '<p>«<b>„Раз“ два</b>»</p>'],
    ['"<code>a</code>"', '«<code>a</code>»'],
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
    ['  -- ', ''],
    [`Слово ${'длинное '.repeat(20)}`, `slovo${'-dlinnoe'.repeat(6)}`],
    ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя', 'abvgdeezhzijklmnoprstufhcchshshchyeyuya'],
  ])('%s', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test.each([
    ['a'.repeat(61), 'a'.repeat(60)],
    [`${'a'.repeat(57)} bc`, `${'a'.repeat(57)}-bc`],
    [`${'a'.repeat(57)} bcd e`, `${'a'.repeat(57)}-e`],
  ])('of at most 60 characters consist of whole words: %s', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test.each([
    ['dostavka', 'доставка'],
    ['Shchetki', 'щетки'],
    ['khranenie', 'хранение'],
    ['hranenie', 'хранение'],
    ['tsena', 'цена'],
    ['yozhik', 'ёжик'],
    ['yaschik', 'ясчик'],
    ['web-sklad', 'веб-склад'],
    ['FBO 2', 'фбо 2'],
  ])('and words in Latin letters are read in Cyrillic: %s is %s', (latin, cyrillic) => {
    expect(cyrillicOf(latin)).toBe(cyrillic);
  });
});

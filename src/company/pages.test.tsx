import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { formatPrice } from '../design/format.ts';
import { casePath } from '../model/addresses.ts';
import type { Content } from '../model/content.ts';
import { changeOf } from '../posts/change.ts';
import { forceOf } from '../posts/in-force.ts';
import { VideoStill } from '../posts/video-still.tsx';
import { addresses } from '../routes.ts';
import { nearestDeparture } from '../services/departures.ts';
import { workedExample } from '../services/example.ts';
import { all, type Element, one, parseHtml, textOf } from '../testing/html.ts';
import { shownSite, textAt } from '../testing/test-site.ts';

const content = (await shownSite()).content;

function open(path: string, of: Content = content) {
  const address = addresses(of).find((one) => one.path === path);
  const view = address?.page.open(of, address.params, {});
  if (view === undefined) throw new Error(`There is no ${path}.`);
  return parseHtml(`<main>${renderToStaticMarkup(view.body)}</main>`);
}

const linksOf = (document: ReturnType<typeof open>) => all(document, 'a').map(({ attrs }) => attrs.href ?? '');

describe('the first screen of home', () => {
  const facts = one(open('/'), 'dl.facts');
  const [price, departure] = all(facts, 'a') as [Element, Element];

  test('names the price of a unit, and leads to how it came about', () => {
    const example = workedExample(content);
    expect(price.attrs.href).toBe(example?.href);
    expect(textOf(price)).toContain(textOf(formatPrice(example?.calculation.perUnit ?? 0)));
  });

  test('names the nearest truck to the warehouse of the example, and leads to the others', () => {
    const warehouse = workedExample(content)?.calculation.order.warehouse ?? '';
    const nearest = nearestDeparture(content, warehouse);
    expect(all(facts, 'dt').map(textOf)).toContain(`${nearest?.warehouse}: до`);
    expect(one(departure, 'time').attrs.datetime).toBe(nearest?.handOver.at);
    expect(departure.attrs.href).toBe('#departures');
    expect(all(open('/'), 'section#departures')).toHaveLength(1);
  });
});

test('the way of a carton has stations, each with a link and its price from the rates or its time', () => {
  const way = one(open('/'), 'div.way');
  const stations = content.home.way.flatMap((scene) => scene.stations);
  const rows = content.rates.groups.flatMap((group) => group.rows);
  const shown = all(way, 'li').map((item) => ({
    to: one(item, 'a').attrs.href,
    figure: textOf(one(item, 'div.way-figure')),
  }));
  const expected = stations.map(({ to, rate, time }) => {
    const row = rows.find(({ id }) => id === rate);
    const from = row && formatPrice(Math.min(...row.tiers.map(({ price }) => price)));
    return { to, figure: textOf(row ? `от ${from} / ${row.unit}` : (time ?? '')) };
  });
  expect(shown).toEqual(expected);
  expect(all(way, 'img').map(({ attrs }) => attrs.alt)).toEqual(content.home.way.map(({ alt }) => alt));
});

describe('what the company offers to those who leave a number', () => {
  const offer = content.presets.find((preset) => preset.offer !== undefined);
  const form = `/contact?preset=${offer?.slug}`;
  const paths = ['/', ...content.services.map(({ to }) => to)];
  const offering = (of: Content) => paths.filter((path) => linksOf(open(path, of)).includes(form));

  test('is a label on home and on the services that the editor has named, and nowhere else', () => {
    expect(offer?.offer?.services.length).toBeGreaterThan(0);
    expect(offering(content).sort()).toEqual(['/', ...(offer?.offer?.services ?? [])].sort());
  });

  test('goes with the words of the editor', () => {
    const presets = content.presets.map(({ offer: _, ...preset }) => preset);
    expect(offering({ ...content, presets })).toEqual([]);
  });
});

test('a service leads to the cases and reviews that name it', () => {
  for (const { to } of content.services) {
    const links = linksOf(open(to));
    const cases = content.cases.filter(({ services }) => services.includes(to)).slice(0, 2);
    const reviews = content.reviews.filter(({ service }) => service === to).slice(0, 1);
    expect(links).toEqual(expect.arrayContaining(cases.map(casePath)));
    expect(links).toEqual(expect.arrayContaining(reviews.map(({ category, slug }) => `/reviews/${category}#${slug}`)));
  }
});

test('one who reads news, rules or the map can leave a request', () => {
  for (const path of ['/about/novosti', '/compliance', '/map']) {
    expect(linksOf(open(path))).toContain('/contact?preset=request');
  }
});

describe('a change of a case', () => {
  const change = (numbers?: [number, number], better?: 'more' | 'less') => {
    const [before = 0, after = 0] = numbers ?? [];
    return changeOf({ metric: 'Показатель', before: '', after: '', numbers: numbers && { before, after }, better });
  };

  test('more of what a client wants less of is worse, and less of what they want more of', () => {
    expect(change([25, 40], 'less').isWorse).toBe(true);
    expect(change([56, 45], 'more').isWorse).toBe(true);
    expect(change([4, 0], 'less').isWorse).toBe(false);
    expect(change([31, 58], 'more').isWorse).toBe(false);
  });

  test('nothing is worse that no editor has judged, or that has stayed', () => {
    expect(change([310, 720])).toEqual({ isWorse: false, bars: { before: 43.1, after: 100 } });
    expect(change([3, 3], 'less').isWorse).toBe(false);
  });

  test('the longer of both bars has the whole width, and words have none', () => {
    expect(change([220, 110], 'less').bars).toEqual({ before: 100, after: 50 });
    expect(change([0, 93]).bars).toEqual({ before: 0, after: 100 });
    expect(change()).toEqual({ isWorse: false });
  });
});

describe('rules in force', () => {
  test('a change holds from its day to its last one, by the day of the company', async () => {
    const content = (await shownSite()).content;
    // 00:10 in Moscow.
    const force = forceOf({ ...content, at: '2026-11-30T21:10:00Z' });
    expect(force({ since: '2026-12-02' })).toBe('coming');
    expect(force({ since: '2026-12-01' })).toBe('current');
    expect(force({ since: '2025-01-01' })).toBe('current');
    expect(force({ since: '2026-11-01', until: '2026-12-01' })).toBe('current');
    expect(force({ since: '2026-11-01', until: '2026-11-30' })).toBe('past');
  });
});

const site = await shownSite();
const videos = site.content.articles.filter(({ video }) => video !== undefined);

function still(slug: string): Element {
  const html = textAt(site, `/blog/video-news/${slug}`);
  expect(all(parseHtml(html), 'video, iframe, embed, object')).toEqual([]);
  return one(parseHtml(html), 'div.video-still');
}

describe('video news', () => {
  test('show a frame of the video, which a press leads to and nothing loads before', () => {
    const item = videos.find(({ video }) => video?.still);
    const link = one(still(item?.slug ?? ''), 'a');
    expect(link.attrs.href).toBe(item?.video?.href);
    expect(one(link, 'img').attrs).toMatchObject({ src: item?.video?.still?.src, alt: item?.video?.still?.alt });
    expect(textOf(link)).toContain('Смотреть видео');
  });

  test.each([
    ['from a host that is allowed', ['rutube.ru'], 'https://rutube.ru/play/embed/0123456789abcdef0123456789abcdef/'],
    ['from another', ['video.example'], undefined],
    ['while no host is allowed', undefined, undefined],
  ])('%s: the link knows what may be played here', (_which, hosts, player) => {
    const href = 'https://rutube.ru/video/0123456789abcdef0123456789abcdef/';
    const html = renderToStaticMarkup(<VideoStill video={{ duration: 'PT1M', href }} name="Видео" hosts={hosts} />);
    const { attrs } = one(parseHtml(html), 'a');
    expect([attrs.href, attrs['data-video'], attrs['data-module']]).toEqual([href, player, player && 'video']);
    expect(html).toContain(player ? 'Видео загрузится' : 'Видео откроется');
  });
});

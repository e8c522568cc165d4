import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { formatCount, formatPrice } from '../../lib/format.ts';
import { postPath } from '../../model/post-kinds.ts';
import { billOf } from '../../pricing/bill.ts';
import { examplesByMarketplace, workedExample } from '../../pricing/example.ts';
import { termOf } from '../../pricing/term.ts';
import { addresses } from '../../routes.ts';
import { all, type Element, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { contentShips } from '../../tests/support/sample-content.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { shownSite } from '../../tests/support/test-site.ts';
import { changeOf } from '../posts/change.ts';
import { forceOf } from '../posts/in-force.ts';
import { VideoStill } from '../posts/video-still.tsx';
import { RouteLink, WayHere } from './way-here.tsx';

const shippedTest = testIf({ shipped: true });

const content = (await shownSite()).content;

function open(path: string, shown = content) {
  const address = addresses(content).find((one) => one.path === path);
  const view = address?.page.open(shown, address.params, {});
  if (view === undefined) throw new Error(`There is no ${path}.`);
  return parseHtml(`<main>${renderToStaticMarkup(view.body)}</main>`);
}

const linksOf = (document: ReturnType<typeof open>) => all(document, 'a').map(({ attrs }) => attrs.href ?? '');

describe('the first screen of home', () => {
  const hero = one(open('/'), 'div.hero');
  const examples = examplesByMarketplace(content);
  const own = workedExample(content);

  test('has an example for each marketplace to choose from, and preselects that of the editors', () => {
    expect(all(hero, ':scope > label').map(textOf)).toEqual(examples.map(({ marketplace }) => marketplace));
    expect(examples.map(({ calculation }) => calculation.order.marketplace).sort()).toEqual(
      content.calculator.marketplaces.map(({ id }) => id).sort(),
    );
    expect(examples[0]).toMatchObject(own ?? {});
    const choices = all(hero, '[name="marketplace"]').map(({ attrs }) => attrs.checked !== undefined);
    expect(choices).toEqual(examples.map((_, i) => i === 0));
  });

  shippedTest(
    'has a trial, the example and a large order to choose from, each with its price and sum for each marketplace',
    () => {
      const units = [100, 1000, 5000];
      const choices = all(hero, '[name="units"]').map(({ attrs }) => attrs.checked !== undefined);
      expect(choices).toEqual([false, true, false]);
      const shown = all(hero, '[data-dated] > div').map((answer) => all(answer, 'dd[class]').map(textOf));
      const expected = examples.map(({ marketplace }) =>
        units.map((count) => {
          const worked = examplesByMarketplace(content, { units: String(count), places: '' });
          const { calculation } = worked.find((example) => example.marketplace === marketplace) ?? {};
          const [perUnit, total] = [calculation?.perUnit, calculation?.total].map((sum = 0) => formatPrice(sum));
          return textOf(`${perUnit} ${total} за\u00A0${formatCount(count)}\u00A0шт.`);
        }),
      );
      expect(shown).toEqual(expected);
    },
  );

  test('links each price per unit to its calculation, and each delivery day to the departures', () => {
    const answers = all(hero, '[data-dated] > div');
    expect(answers).toHaveLength(examples.length);
    for (const [index, { calculation, href }] of examples.entries()) {
      const answer = answers[index] as Element;
      const [price, day] = [one(answer, '.of-7 > a'), one(answer, 'a[href="#departures"]')];
      const term = termOf(content, calculation);
      expect([price.attrs.href, textOf(price)]).toEqual([href, textOf(formatPrice(calculation.perUnit ?? 0))]);
      expect([day.attrs.href, one(day, 'time').attrs.datetime]).toEqual(['#departures', term?.delivered]);
      expect(textOf(answer)).toContain(`${term?.departure.warehouse}, если привезёте`);
    }
    expect(all(open('/'), 'section#departures')).toHaveLength(1);
  });

  test('has the full bill of each example: common lines, individual lines and the total', () => {
    const [shared = [], ...others] = all(hero, 'table tbody').map((part) => all(part, 'tr').map(textOf));
    expect(others).toHaveLength(examples.length);
    for (const [index, { calculation }] of examples.entries()) {
      const { rows, total } = billOf(content, calculation, termOf(content, calculation));
      const sums = [...rows.map(({ text, sum }) => textOf(text + sum)), textOf(`Итого${total}`)];
      expect([...shared, ...(others[index] ?? [])].sort()).toEqual(sums.sort());
    }
  });
});

test('an offer appears on home and on the services that it names, and nowhere else', () => {
  const offer = content.presets.find((preset) => preset.offer !== undefined);
  const form = `/contact?preset=${offer?.slug}`;
  const paths = ['/', ...content.services.map(({ to }) => to)];
  expect(offer?.offer?.services.length).toBeGreaterThan(0);
  const offering = paths.filter((path) => linksOf(open(path)).includes(form));
  expect(offering.sort()).toEqual(['/', ...(offer?.offer?.services ?? [])].sort());
});

test('a service links to the cases and reviews that name it, unless they are samples', () => {
  if (contentShips) expect([content.services, content.cases, content.reviews]).not.toContainEqual([]);
  for (const { to } of content.services) {
    const cases = content.cases.filter(({ services }) => services.includes(to)).slice(0, 2);
    const reviews = content.reviews.filter(({ service }) => service === to).slice(0, 1);
    const about = [
      ...cases.map((post) => postPath('case', post)),
      ...reviews.map(({ category, slug }) => `/reviews/${category}#${slug}`),
    ];
    const linksWhere = (sample: boolean) => {
      const marked = <T,>(posts: readonly T[]) => posts.map((post) => ({ ...post, sample }));
      return linksOf(open(to, { ...content, cases: marked(content.cases), reviews: marked(content.reviews) }));
    };
    expect(linksWhere(false)).toEqual(expect.arrayContaining(about));
    expect(linksWhere(true).filter((link) => about.includes(link))).toEqual([]);
  }
});

test('the map and its link show the longitude first, and a route the latitude, as Yandex expects', () => {
  const address = { ...content.company.address, latitude: 55.5, longitude: 37.25 };
  const shown = parseHtml(
    renderToStaticMarkup(
      <>
        <WayHere address={address} drawing="/images/map.svg" apiKey="key" />
        <RouteLink address={address} />
      </>,
    ),
  );
  expect(one(shown, '.way-here').attrs['data-point']).toBe('37.25,55.5');
  const route = 'https://yandex.ru/maps/?rtext=~55.5,37.25&rtt=auto';
  expect(linksOf(shown)).toEqual(['https://yandex.ru/maps/?pt=37.25,55.5&z=16&l=map', route]);
});

describe('a changed figure of a case', () => {
  const change = (numbers?: [number, number], better?: 'more' | 'less') => {
    const [before = 0, after = 0] = numbers ?? [];
    return changeOf({ metric: 'Показатель', before: '', after: '', numbers: numbers && { before, after }, better });
  };

  test('is worse when the better direction is the opposite', () => {
    expect(change([25, 40], 'less').isWorse).toBe(true);
    expect(change([56, 45], 'more').isWorse).toBe(true);
    expect(change([3, 3], 'less').isWorse).toBe(false);
    expect(change([310, 720]).isWorse).toBe(false);
  });

  test('has bars when it has numbers, and the longer bar takes the full width', () => {
    expect(change([310, 720]).bars).toEqual({ before: 43.1, after: 100 });
    expect(change([5, 0]).bars).toEqual({ before: 100, after: 0 });
    expect(change([0, 0]).bars).toEqual({ before: 0, after: 0 });
    expect(change()).toEqual({ isWorse: false });
  });
});

test('a change of the rules holds from its first day to its last, in the time zone of the company', () => {
  // It is 00:10 in Moscow.
  const force = forceOf({ ...content, at: '2026-11-30T21:10:00Z' });
  expect(force({ since: '2026-12-02' })).toBe('coming');
  expect(force({ since: '2026-12-01' })).toBe('current');
  expect(force({ since: '2026-11-01', until: '2026-12-01' })).toBe('current');
  expect(force({ since: '2026-11-01', until: '2026-11-30' })).toBe('past');
});

describe('a video in news', () => {
  const shown = (href: string, hosts?: readonly string[]) => {
    const still = { src: '/pictures/a.svg', alt: 'Короб', width: 640, height: 360 };
    const video = { duration: 'PT1M', href, still };
    return parseHtml(renderToStaticMarkup(<VideoStill video={video} name="Видео" hosts={hosts} />));
  };

  test.each([
    ['/videos/a.mp4', undefined],
    ['https://video.example/a.webm', ['video.example']],
  ])('plays %s in place without a script, and loads nothing before', (src, hosts) => {
    const document = shown(src, hosts);
    expect(all(document, 'a, iframe')).toEqual([]);
    const { attrs } = one(document, 'video');
    expect(attrs).toMatchObject({ src, preload: 'none', poster: '/pictures/a.svg', 'aria-label': 'Видео' });
    expect(['controls', 'playsinline'].filter((name) => !(name in attrs))).toEqual([]);
    expect(textOf(one(document, 'p')).includes('с другого сайта')).toBe(hosts !== undefined);
  });

  test('is a link with a frame as its picture when its host is not allowed', () => {
    const link = one(shown('https://elsewhere.example/a.mp4', ['video.example']), 'a');
    expect([link.attrs.href, link.attrs['data-module']]).toEqual(['https://elsewhere.example/a.mp4', undefined]);
    expect(one(link, 'img').attrs).toMatchObject({ src: '/pictures/a.svg', alt: 'Короб' });
  });

  test.each([
    ['an allowed host', ['rutube.ru'], 'https://rutube.ru/play/embed/0123456789abcdef0123456789abcdef/'],
    ['another host', ['video.example'], undefined],
  ])('has a link with the address of its player only on an allowed host: %s', (_which, hosts, player) => {
    const href = 'https://rutube.ru/video/0123456789abcdef0123456789abcdef/';
    const { attrs } = one(shown(href, hosts), 'a');
    expect([attrs.href, attrs['data-video'], attrs['data-module']]).toEqual([href, player, player && 'video']);
  });
});

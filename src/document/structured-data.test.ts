import { describe, expect, test } from '@jest/globals';
import { localTime } from '../lib/calendar.ts';
import { siteUrl } from '../testing/built.ts';
import { all, type Element, parseHtml, textOf } from '../testing/html.ts';
import { type Described, isDescribed, jsonLd, microdata, type Value } from '../testing/structured.ts';
import { startTestSite } from '../testing/test-site.ts';
import { vocabulary } from '../testing/vocabulary.ts';

const pages = new Map<string, Element>();
const schemaOrg = vocabulary();

const site = await startTestSite();
const { content } = site.services.site;
const paths = [...site.served.paths];
for (const path of paths) {
  const document = parseHtml((await site.request(path)).text);
  for (const { attrs } of all(document, 'link[rel="next"]')) paths.push(attrs.href?.slice(siteUrl.length) ?? '');
  const [robots] = all(document, 'meta[name="robots"]');
  if (robots?.attrs.content !== 'noindex') pages.set(path, document);
}

function page(path: string): Element {
  const found = pages.get(path);
  if (found === undefined) throw new Error(`${path} is no page.`);
  return found;
}

function within(thing: Described): Described[] {
  return [thing, ...[...thing.properties.values()].flat().filter(isDescribed).flatMap(within)];
}

function faults(wrong: (thing: Described, at: { path: string; top: readonly Described[] }) => string[]): string[] {
  return [...pages].flatMap(([path, document]) =>
    [jsonLd(document), microdata(document)].flatMap((top) =>
      top
        .flatMap(within)
        .flatMap((thing) => wrong(thing, { path, top }).map((fault) => `${path} ${thing.type}: ${fault}`)),
    ),
  );
}

function values(thing: Described | undefined, property: string): readonly Value[] {
  return thing?.properties.get(property) ?? [];
}

function only(things: readonly Described[], type: string): Described {
  const [first, ...more] = things.filter((thing) => thing.type === type);
  if (first === undefined || more.length > 0) throw new Error(`There are ${more.length + (first ? 1 : 0)} ${type}.`);
  return first;
}

function part(thing: Described, property: string): Described {
  const [value] = values(thing, property);
  if (value === undefined || !isDescribed(value)) throw new Error(`${thing.type} has no ${property}.`);
  return value;
}

const article = ['headline', 'image', 'datePublished', 'dateModified', 'author', 'publisher', 'mainEntityOfPage'];

/**
 * What Google (developers.google.com/search/docs/appearance/structured-data) and Yandex (yandex.ru/support/webmaster,
 * yandex.ru/support/video/partners/schema-org) require or recommend; `a|b` means either. Google wants ratings on
 * reviews, but the site has none.
 */
const required: Readonly<Record<string, readonly string[]>> = {
  Organization: ['name', 'telephone', 'logo|address'],
  LocalBusiness: ['name', 'url', 'logo', 'image', 'telephone', 'address', 'geo', 'openingHoursSpecification', 'sameAs'],
  PostalAddress: ['streetAddress', 'addressLocality', 'postalCode', 'addressCountry'],
  GeoCoordinates: ['latitude', 'longitude'],
  OpeningHoursSpecification: ['dayOfWeek', 'opens', 'closes'],
  WebSite: ['name', 'url', 'publisher'],
  BreadcrumbList: ['itemListElement'],
  ListItem: ['position', 'name'],
  Article: article,
  CreativeWork: ['name', 'url'],
  Person: ['name'],
  ImageObject: ['contentUrl'],
  VideoObject: [
    ...['name', 'description', 'thumbnailUrl', 'uploadDate', 'duration', 'contentUrl|embedUrl'],
    ...['url', 'thumbnail', 'isFamilyFriendly', 'transcript'],
  ],
};

const addresses = [
  'url',
  'item',
  'image',
  'logo',
  'thumbnailUrl',
  'contentUrl',
  'embedUrl',
  'hasMap',
  'sameAs',
  'mainEntityOfPage',
];

describe('what every page tells search engines', () => {
  test('uses types and properties that schema.org has, each where it belongs', () => {
    expect(schemaOrg('Nonsense')).toBeUndefined();
    expect(schemaOrg('Article')?.has('headline')).toBe(true);
    expect(schemaOrg('Article')?.has('opens')).toBe(false);
    expect(
      faults((thing) => {
        const known = schemaOrg(thing.type);
        if (known === undefined) return ['no such type'];
        return [...thing.properties.keys()].filter((property) => !known.has(property) && property !== 'query-input');
      }),
    ).toEqual([]);
  });

  test('has all that Google and Yandex ask for', () => {
    expect(
      faults(({ type, properties }) => {
        const wanted = required[type];
        if (wanted === undefined) return ['nobody has looked up what it requires'];
        return wanted.filter((names) => !names.split('|').some((name) => properties.has(name)));
      }),
    ).toEqual([]);
  });

  test('leaves no value empty', () => {
    expect(
      faults(({ properties }) =>
        [...properties].flatMap(([name, all]) => {
          const empty = all.length === 0 || all.some((value) => String(value).trim() === '' || Number.isNaN(value));
          return empty || /undefined|null|\[object|NaN/.test(all.filter((value) => typeof value === 'string').join())
            ? [name]
            : [];
        }),
      ),
    ).toEqual([]);
  });

  test('gives addresses in full, of pages, files and parts of pages that exist', () => {
    const exists = (address: string, path: string) => {
      const url = URL.parse(address, siteUrl + path);
      if (url?.origin !== siteUrl) return url?.protocol === 'https:';
      const named = pages.get(url.pathname + url.search);
      const { find, picture } = site.served;
      if (named === undefined) return (find(url.pathname) ?? picture(url.pathname)) !== undefined && url.hash === '';
      return url.hash === '' || all(named, `[id="${decodeURIComponent(url.hash.slice(1))}"]`).length === 1;
    };
    expect(
      exists(`/rates#${content.rates.groups[0]?.id}`, '/') &&
        !exists('/rates#nothing', '/') &&
        !exists('/nowhere', '/'),
    ).toBe(true);
    expect(
      faults((thing, { path, top }) =>
        addresses.flatMap((property) =>
          values(thing, property).flatMap((value) => {
            if (typeof value !== 'string') return [];
            // Relative links are fine in microdata, but not in JSON-LD.
            const whole = top.some(({ type }) => type === 'BreadcrumbList') || /^https?:|^tel:/.test(value);
            return whole && exists(value, path) ? [] : [`${property} ${value}`];
          }),
        ),
      ),
    ).toEqual([]);
  });

  test('gives dates as ISO 8601 does, and none of the future', () => {
    const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.000Z)?$/;
    const today = localTime(new Date(content.at), content.company.workingHours.timeZone).date;
    expect(
      faults((thing) =>
        ['datePublished', 'dateModified', 'uploadDate'].flatMap((name) =>
          values(thing, name)
            .filter((date) => !iso.test(String(date)) || String(date).slice(0, today.length) > today)
            .map(String),
        ),
      ),
    ).toEqual([]);
  });

  test('is of the right types', () => {
    const types = (path: string): string[] => {
      if (path === '/') return ['WebSite'];
      if (path === '/about' || path === '/contacts') return ['LocalBusiness'];
      if (path.startsWith('/blog/video-news/')) return ['Article', 'VideoObject'];
      return /^\/(cases|about\/novosti|blog\/[^/]+)\//.test(path) ? ['Article'] : [];
    };
    for (const [path, document] of pages) {
      expect([path, jsonLd(document).map(({ type }) => type)]).toEqual([path, types(path)]);
    }
  });

  test('is nothing where search engines are kept out', async () => {
    for (const path of ['/contact', '/broadcast', '/search', '/no-such-page']) {
      expect([path, jsonLd(parseHtml((await site.request(path)).text))]).toEqual([path, []]);
    }
  });
});

describe('structured data says what the page says', () => {
  test('of the company: when it is open, and where it is', () => {
    const company = only(jsonLd(page('/contacts')), 'LocalBusiness');
    expect(values(company, 'telephone')).toEqual([content.company.phone.number]);
    const hours = values(company, 'openingHoursSpecification').filter(isDescribed);
    const shifts = hours.flatMap((one) =>
      values(one, 'dayOfWeek').map((day) => [day, ...['opens', 'closes'].map((name) => values(one, name).join())]),
    );
    const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    const open = content.company.workingHours.week.flatMap((shift, day) => (shift ? [[week[day], ...shift]] : []));
    expect(shifts.sort()).toEqual(open.sort());
    expect(values(part(company, 'geo'), 'latitude')).toEqual([content.company.address.latitude]);
    expect(values(company, 'sameAs').filter((href) => !String(href).startsWith('https:'))).toEqual([]);
  });

  test('of an article: who wrote it and what they are, when, and by what sources', () => {
    const written = content.articles.filter(({ category }) => category === 'articles');
    const item = written.find(({ sources, updated }) => sources && updated) ?? written[0];
    const startOfDay = (date: string | undefined) => new Date(`${date}T00:00:00+03:00`).toISOString();
    const found = only(jsonLd(page(`/blog/${item?.category}/${item?.id}`)), 'Article');
    expect(values(found, 'headline')).toEqual([item?.heading]);
    expect(values(found, 'datePublished')).toEqual([startOfDay(item?.published)]);
    expect(values(found, 'dateModified')).toEqual([startOfDay(item?.updated ?? item?.published)]);
    expect(values(found, 'citation')).toHaveLength(item?.sources?.length ?? 0);
    const author = part(found, 'author');
    expect(`${values(author, 'name')}, ${values(author, 'jobTitle')}`).toBe(item?.author);
  });

  test('headlines fit into the 110 characters that Google shows', () => {
    expect(
      faults((thing) =>
        values(thing, 'headline')
          .filter((headline) => String(headline).length > 110)
          .map(String),
      ),
    ).toEqual([]);
  });

  test('of a video: its words, without markup', () => {
    for (const { slug, video } of content.articles.filter(({ category }) => category === 'video-news')) {
      const found = only(jsonLd(page(`/blog/video-news/${slug}`)), 'VideoObject');
      const [transcript] = values(found, 'transcript');
      expect(String(transcript).length).toBeGreaterThan(500);
      expect(transcript).not.toMatch(/<|&\w+;/);
      expect(values(found, 'contentUrl')).toEqual([video?.href]);
    }
  });
});

describe('microdata', () => {
  test('has the organisation on every page, and the way there', () => {
    for (const [path, document] of pages) {
      const found = microdata(document);
      const organization = only(found, 'Organization');
      expect([path, values(part(organization, 'address'), 'streetAddress')]).toEqual([
        path,
        [textOf(content.company.address.street)],
      ]);
      if (path === '/') continue;
      const crumbs = values(only(found, 'BreadcrumbList'), 'itemListElement').filter(isDescribed);
      expect([path, crumbs.map((crumb) => values(crumb, 'position').join())]).toEqual([
        path,
        crumbs.map((_, index) => String(index + 1)),
      ]);
      // The last entry needs no link.
      for (const crumb of crumbs.slice(0, -1)) expect(pages.has(values(crumb, 'item').join())).toBe(true);
    }
  });
});

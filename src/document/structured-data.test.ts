import { describe, expect, test } from '@jest/globals';
import { localTime } from '../lib/calendar.ts';
import { leadPrices } from '../model/lead-prices.ts';
import { siteUrl } from '../testing/built.ts';
import { all, type Element, one, parseHtml, textOf } from '../testing/html.ts';
import { type Described, isDescribed, jsonLd, microdata, type Value } from '../testing/structured.ts';
import { startTestSite } from '../testing/test-site.ts';
import { vocabulary } from '../testing/vocabulary.ts';

const pages = new Map<string, Element>();
const schemaOrg = vocabulary();

const site = await startTestSite();
const { content } = site.services.site;
const reviewed = new Set(content.reviews.map(({ category }) => category));
const paths = [...site.served.paths];
for (const path of paths) {
  const document = parseHtml((await site.request(path)).text);
  for (const { attributes } of all(document, 'link', { rel: 'next' }))
    paths.push(attributes.href?.slice(siteUrl.length) ?? '');
  const [robots] = all(document, 'meta', { name: 'robots' });
  // An empty list has no structured data.
  const isEmpty = content.categories.reviews.some(({ slug }) => path === `/reviews/${slug}` && !reviewed.has(slug));
  if (robots?.attributes.content !== 'noindex' && !isEmpty) pages.set(path, document);
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

const pageTypes = ['WebPage', 'AboutPage', 'ContactPage', 'CollectionPage', 'FAQPage'];
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
  WebSite: ['name', 'url', 'publisher', 'potentialAction'],
  SearchAction: ['target', 'query-input'],
  EntryPoint: ['urlTemplate'],
  ...Object.fromEntries(pageTypes.map((type) => [type, ['name', 'url', 'description', 'inLanguage']])),
  CollectionPage: ['name', 'url', 'description', 'mainEntity'],
  FAQPage: ['name', 'url', 'mainEntity'],
  ItemList: ['numberOfItems', 'itemListElement'],
  BreadcrumbList: ['itemListElement'],
  ListItem: ['position', 'name'],
  Question: ['name', 'acceptedAnswer'],
  Answer: ['text'],
  Service: ['name', 'url'],
  OfferCatalog: ['name', 'itemListElement'],
  Offer: ['name', 'priceSpecification'],
  UnitPriceSpecification: ['price|minPrice', 'priceCurrency', 'unitText'],
  Article: article,
  BlogPosting: article,
  NewsArticle: article,
  CreativeWork: ['name', 'url'],
  Person: ['name'],
  ImageObject: ['contentUrl'],
  VideoObject: [
    ...['name', 'description', 'thumbnailUrl', 'uploadDate', 'duration', 'contentUrl|embedUrl'],
    ...['url', 'thumbnail', 'isFamilyFriendly', 'transcript'],
  ],
  Review: ['author', 'reviewBody', 'datePublished', 'itemReviewed'],
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
    expect(schemaOrg('Review')?.has('reviewBody')).toBe(true);
    expect(schemaOrg('Review')?.has('opens')).toBe(false);
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
      return url.hash === '' || all(named, '*', { id: decodeURIComponent(url.hash.slice(1)) }).length === 1;
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
            const whole = top.some(({ type }) => pageTypes.includes(type)) ? /^https?:/.test(value) : true;
            return whole && exists(value, path) ? [] : [`${property} ${value}`];
          }),
        ),
      ),
    ).toEqual([]);
  });

  test('gives dates as ISO 8601 does, and none of the future', () => {
    const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?$/;
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
    const dated = [...pages].filter(([, document]) => values(pageOf(document), 'dateModified').length > 0);
    expect(dated.length).toBe(pages.size);
  });

  test('refers only to what the same page describes', () => {
    expect(
      faults((thing, { top }) =>
        [...thing.properties.values()]
          .flat()
          .flatMap((value) => (typeof value === 'object' && 'reference' in value ? [value.reference] : []))
          .filter((reference) => !top.some(({ id }) => id === reference)),
      ),
    ).toEqual([]);
  });

  test('names the page by its canonical address, its title and its description', () => {
    for (const [path, document] of pages) {
      const canonical = one(document, 'link', { rel: 'canonical' }).attributes.href;
      const own = pageOf(document);
      expect([path, values(own, 'url')]).toEqual([path, [canonical]]);
      expect(textOf(one(document, 'title'))).toContain(String(values(own, 'name')[0]).replaceAll('\u00A0', ' '));
      expect(values(own, 'description')).toEqual([one(document, 'meta', { name: 'description' }).attributes.content]);
    }
  });

  test('is of the right types', () => {
    const main = (path: string): string[] => {
      const [list] = path.split('?');
      if (path === '/') return ['WebPage', 'WebSite'];
      if (path === '/about') return ['AboutPage'];
      if (path === '/contacts') return ['ContactPage'];
      if (path === '/questions') return ['FAQPage'];
      if (path === '/rates') return ['WebPage', 'OfferCatalog'];
      if (path.startsWith('/services/') || path === '/cargo') return ['WebPage', 'Service'];
      if (/^\/(cases|reviews|blog|about\/novosti|reviews\/[^/]+|blog\/(articles|news|video-news))$/.test(list ?? ''))
        return ['CollectionPage'];
      if (path.startsWith('/cases/')) return ['WebPage', 'Article'];
      if (path.startsWith('/blog/articles/')) return ['WebPage', 'BlogPosting'];
      if (path.startsWith('/blog/video-news/')) return ['WebPage', 'NewsArticle', 'VideoObject'];
      if (/^\/(about\/novosti|blog\/news)\//.test(path)) return ['WebPage', 'NewsArticle'];
      return ['WebPage'];
    };
    for (const [path, document] of pages) {
      const organization = ['/about', '/contacts'].includes(path) ? 'LocalBusiness' : 'Organization';
      const wanted = [organization, ...(path === '/' ? [] : ['BreadcrumbList']), ...main(path)];
      expect([
        path,
        jsonLd(document)
          .map(({ type }) => type)
          .sort(),
      ]).toEqual([path, wanted.sort()]);
    }
  });

  test('is nothing where search engines are kept out', async () => {
    for (const path of ['/contact', '/broadcast', '/search', '/no-such-page']) {
      expect([path, jsonLd(parseHtml((await site.request(path)).text))]).toEqual([path, []]);
    }
  });
});

function pageOf(document: Element): Described | undefined {
  return jsonLd(document).find(({ type }) => pageTypes.includes(type));
}

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
    expect(hours.length).toBeLessThan(open.length);
    expect(values(part(company, 'geo'), 'latitude')).toEqual([content.company.address.latitude]);
    expect(values(company, 'sameAs').filter((href) => !String(href).startsWith('https:'))).toEqual([]);
  });

  test('of the search: where a query leads', async () => {
    const action = part(only(jsonLd(page('/')), 'WebSite'), 'potentialAction');
    expect(values(part(action, 'target'), 'urlTemplate')).toEqual([`${siteUrl}/search?q={search_term_string}`]);
    expect(values(action, 'query-input')).toEqual(['required name=search_term_string']);
    expect((await site.request(`/search?q=${encodeURIComponent('короб')}`)).status).toBe(200);
  });

  test('of a service: what each group of its prices starts from, in roubles a unit', () => {
    for (const service of content.services) {
      const offers = values(only(jsonLd(page(service.to)), 'Service'), 'offers').filter(isDescribed);
      const groups = service.rates.flatMap((id) => content.rates.groups.find((group) => group.id === id) ?? []);
      expect(offers.map((offer) => [values(offer, 'name')[0], values(offer, 'url')[0]])).toEqual(
        groups.map(({ id, title }) => [title, `${siteUrl}/rates#${id}`]),
      );
      for (const [index, offer] of offers.entries()) {
        const price = part(offer, 'priceSpecification');
        const group = groups[index];
        const [lead] = group ? leadPrices(group) : [];
        expect(['minPrice', 'priceCurrency', 'unitText'].map((name) => values(price, name)[0])).toEqual([
          (lead?.from ?? 0) / 100,
          'RUB',
          lead?.unit,
        ]);
      }
    }
  });

  test('of the rates: each group', () => {
    const offers = values(only(jsonLd(page('/rates')), 'OfferCatalog'), 'itemListElement').filter(isDescribed);
    expect(offers.map((offer) => values(offer, 'url')[0])).toEqual(
      content.rates.groups.map(({ id }) => `${siteUrl}/rates#${id}`),
    );
  });

  test('of an article: who wrote it and what they are, when, and by what sources', () => {
    const written = content.articles.filter(({ category }) => category === 'articles');
    const item = written.find(({ sources, updated }) => sources && updated) ?? written[0];
    const found = only(jsonLd(page(`/blog/${item?.category}/${item?.id}`)), 'BlogPosting');
    expect(values(found, 'headline')).toEqual([item?.heading]);
    expect(values(found, 'datePublished')).toEqual([`${item?.published}T00:00:00+03:00`]);
    expect(values(found, 'dateModified')).toEqual([`${item?.updated ?? item?.published}T00:00:00+03:00`]);
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

  test('of a list: what stands on this page of it, counted on from the page before', () => {
    const lists = [...pages].filter(([path]) => /^\/(cases|reviews|blog)(\?|$)/.test(path));
    expect(lists.length).toBeGreaterThanOrEqual(3);
    for (const [path, document] of lists) {
      const list = part(only(jsonLd(document), 'CollectionPage'), 'mainEntity');
      const first = 10 * Number(/page=(\d+)/.exec(path)?.[1] ?? 1) - 9;
      const items = values(list, 'itemListElement').filter(isDescribed);
      expect(items.map((item) => values(item, 'position')[0])).toEqual(items.map((_, index) => first + index));
      const hrefs = all(one(document, 'main'), 'a').map(({ attributes }) => siteUrl + attributes.href);
      const ids = all(document, 'li', { id: true }).map(({ attributes }) => `${siteUrl}${path}#${attributes.id}`);
      for (const item of items) expect([...hrefs, ...ids]).toContain(values(item, 'url')[0]);
    }
    const list = part(only(jsonLd(page('/cases')), 'CollectionPage'), 'mainEntity');
    expect(values(list, 'numberOfItems')).toEqual([content.cases.length]);
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
      const same = values(only(jsonLd(document), 'BreadcrumbList'), 'itemListElement').filter(isDescribed);
      const told = (item: Described) => [values(item, 'position').join(), textOf(values(item, 'name').join())];
      expect([path, crumbs.map(told)]).toEqual([path, same.map(told)]);
      // The last entry needs no link.
      for (const [index, crumb] of crumbs.slice(0, -1).entries()) {
        expect(values(same[index], 'item')).toEqual([siteUrl + values(crumb, 'item').join()]);
      }
    }
  });

  test('has each review: who says what of which service, when, and no rating', () => {
    const told = new Map<string, Described>();
    for (const [, document] of [...pages].filter(([path]) => /^\/reviews(\?|$)/.test(path))) {
      for (const review of microdata(document).filter(({ type }) => type === 'Review')) {
        told.set(values(part(review, 'author'), 'name').join(), review);
      }
    }
    expect([...told.keys()].sort()).toEqual(content.reviews.map(({ author }) => textOf(author)).sort());
    for (const { author, published, service } of content.reviews) {
      const review = told.get(textOf(author));
      if (!review) throw new Error(`${author} says nothing.`);
      expect(values(review, 'datePublished')).toEqual([published]);
      expect(values(part(review, 'itemReviewed'), 'url')).toEqual([service]);
      expect(String(values(review, 'reviewBody')[0]).length).toBeGreaterThan(40);
      expect(review.properties.has('reviewRating')).toBe(false);
    }
  });
});

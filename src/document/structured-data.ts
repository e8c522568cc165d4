import type {
  Article,
  BlogPosting,
  FAQPage,
  Graph,
  IdReference,
  ListItem,
  LocalBusiness,
  NewsArticle,
  Offer,
  OpeningHoursSpecification,
  Organization,
  Person,
  SearchActionLeaf,
  Thing,
  VideoObject,
  WebPage,
  WithActionConstraints,
} from 'schema-dts';
import { pageSize } from '../design/paginate.ts';
import { startOfDay } from '../lib/calendar.ts';
import type { Company, RateGroup } from '../model/content.ts';
import { leadPrices } from '../model/lead-prices.ts';
import { videoFile } from '../model/player.ts';
import type { Head, ListEntry, Subject } from './page.ts';

/** Square, and at least 112 px wide, as Google asks of a logo. */
const logo = '/apple-touch-icon.png';

type Setting = {
  company: Company;
  /** Absolute address of the site, without a trailing slash. */
  siteUrl: string;
  /** Absolute address of the picture that the page is shared with; wherever a picture is called for, it is this one. */
  image: string;
  /** The day on which what the page says last changed. */
  modified: string | undefined;
};

/** Names by which the things of a page refer to one another. */
type References = { url: string; organization: IdReference } & Setting;

/**
 * What a page is about, as a JSON-LD graph: the organisation, the page, the way to
 * it, and its subjects. The compiler checks it against the vocabulary of schema.org;
 * what Google and Yandex ask for besides is checked by a test on every page.
 */
export function structuredData(head: Head, setting: Setting): Graph {
  const { siteUrl } = setting;
  const references = { ...setting, url: siteUrl + head.path, organization: { '@id': `${siteUrl}/#organization` } };
  const things = (head.subjects ?? []).flatMap((subject) => thing(subject, references) ?? []);
  return {
    '@context': 'https://schema.org',
    '@graph': [
      head.kind ? localBusiness(references) : organization(references),
      page(head, references),
      ...(head.crumbs.length > 0 ? [breadcrumbs(head, siteUrl)] : []),
      ...things,
    ],
  };
}

/** Who publishes the page. Pages are read one by one, so each has at least the name, the logo and the phone. */
function publisher({ company, siteUrl, organization }: References) {
  return {
    ...organization,
    name: company.name,
    url: `${siteUrl}/`,
    logo: siteUrl + logo,
    telephone: company.phone.number,
  };
}

function organization(references: References): Organization {
  return { '@type': 'Organization', ...publisher(references) };
}

/** The company with all that a map or a directory shows of it; on the pages that are about it. */
function localBusiness(references: References): LocalBusiness {
  const { company, siteUrl, image } = references;
  const { address } = company;
  return {
    '@type': 'LocalBusiness',
    ...publisher(references),
    legalName: company.legalName,
    description: company.description,
    email: company.email,
    image,
    foundingDate: String(company.founded),
    address: {
      '@type': 'PostalAddress',
      streetAddress: address.street,
      addressLocality: address.locality,
      postalCode: address.postalCode,
      addressCountry: 'RU',
    },
    geo: { '@type': 'GeoCoordinates', latitude: address.latitude, longitude: address.longitude },
    hasMap: `${siteUrl}/contacts`,
    openingHoursSpecification: openingHours(company.workingHours),
    sameAs: company.social.map(({ href }) => href).filter((href) => href.startsWith('https:')),
  };
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Days with the same hours together; days off are left out. */
function openingHours({ week }: Company['workingHours']): OpeningHoursSpecification[] {
  const byHours = new Map<string, { opens: string; closes: string; dayOfWeek: (typeof weekdays)[number][] }>();
  for (const [index, hours] of week.entries()) {
    const day = weekdays[index];
    if (!hours || !day) continue;
    const [opens, closes] = hours;
    const same = byHours.get(hours.join());
    if (same) same.dayOfWeek.push(day);
    else byHours.set(hours.join(), { opens, closes, dayOfWeek: [day] });
  }
  return [...byHours.values()].map((hours) => ({ '@type': 'OpeningHoursSpecification', ...hours }));
}

/** The page itself; a list or questions are its main entity. */
function page(head: Head, { url, siteUrl, modified }: References): WebPage | FAQPage {
  const common = {
    '@id': url,
    url,
    name: head.title,
    description: head.description,
    inLanguage: 'ru',
    dateModified: modified,
  };
  for (const subject of head.subjects ?? []) {
    if (subject.type === 'ItemList') {
      return {
        '@type': 'CollectionPage',
        ...common,
        mainEntity: { '@type': 'ItemList', ...itemList(subject, url, siteUrl) },
      };
    }
    if (subject.type === 'FAQPage') {
      return {
        '@type': 'FAQPage',
        ...common,
        mainEntity: subject.questions.map(({ question, answerHtml }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: answerHtml },
        })),
      };
    }
  }
  return { '@type': head.kind ?? 'WebPage', ...common };
}

type ListSubject = Extract<Subject, { type: 'ItemList' }>;

/** One page of a list; positions count on from the page before. */
function itemList({ entries, page, total }: ListSubject, url: string, siteUrl: string) {
  const address = ({ to }: ListEntry) => (to.startsWith('#') ? url : siteUrl) + to;
  return {
    numberOfItems: total,
    itemListElement: entries.map(
      (entry, index): ListItem => ({
        '@type': 'ListItem',
        position: (page - 1) * pageSize + index + 1,
        url: address(entry),
        name: entry.name,
      }),
    ),
  };
}

function breadcrumbs({ crumbs }: Head, siteUrl: string): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ path: '/', text: 'Главная' }, ...crumbs].map(
      ({ path, text }, index): ListItem => ({
        '@type': 'ListItem',
        position: index + 1,
        name: text,
        item: siteUrl + path,
      }),
    ),
  };
}

/** @returns `undefined` for what the page itself is */
function thing(subject: Subject, references: References): Thing | undefined {
  const { url, organization, siteUrl, company } = references;
  switch (subject.type) {
    case 'WebSite':
      return {
        '@type': 'WebSite',
        '@id': `${siteUrl}/#website`,
        url: `${siteUrl}/`,
        name: company.name,
        publisher: organization,
        inLanguage: 'ru',
        potentialAction: search(siteUrl),
      };
    case 'Service':
      return {
        '@type': 'Service',
        name: subject.name,
        description: subject.description,
        url,
        image: references.image,
        provider: organization,
        areaServed: subject.areaServed,
        offers: subject.groups.map(groupOffer(siteUrl)),
      };
    case 'OfferCatalog':
      return {
        '@type': 'OfferCatalog',
        name: subject.name,
        url,
        itemListElement: subject.groups.map(groupOffer(siteUrl)),
      };
    case 'Article':
    case 'BlogPosting':
    case 'NewsArticle':
      return article(subject, references);
    case 'VideoObject':
      return video(subject, references);
    case 'ItemList':
    case 'FAQPage':
      return undefined;
  }
}

function search(siteUrl: string): WithActionConstraints<SearchActionLeaf> {
  return {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${siteUrl}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  };
}

/**
 * A group of the price list with the price that it leads with, in roubles, as lists of services show it. All rows are
 * in the table on the page; once more in here, they would cost a kilobyte of the first round trip.
 */
function groupOffer(siteUrl: string): (group: RateGroup) => Offer {
  return (group) => {
    const [price] = leadPrices(group);
    return {
      '@type': 'Offer',
      name: group.title,
      url: `${siteUrl}/rates#${group.id}`,
      ...(price && {
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          minPrice: price.from / 100,
          priceCurrency: 'RUB',
          unitText: price.unit,
        },
      }),
    };
  };
}

type ArticleSubject = Extract<Subject, { headline: string }>;

function article(subject: ArticleSubject, references: References): Article | BlogPosting | NewsArticle {
  const { url, organization, image, company } = references;
  const { timeZone } = company.workingHours;
  return {
    '@type': subject.type,
    url,
    mainEntityOfPage: url,
    headline: subject.headline,
    description: subject.description,
    image,
    inLanguage: 'ru',
    datePublished: startOfDay(subject.published, timeZone),
    dateModified: startOfDay(subject.updated ?? subject.published, timeZone),
    author: subject.author ? person(subject.author) : organization,
    publisher: organization,
    ...(subject.sources && {
      citation: subject.sources.map(({ text, href }) => ({ '@type': 'CreativeWork' as const, name: text, url: href })),
    }),
  };
}

/** Google wants nothing but the name in an author's name. */
function person(author: string): Person {
  const [name = author, jobTitle] = author.split(/,\s*(.*)/s);
  return { '@type': 'Person', name, jobTitle };
}

/** Google reads `thumbnailUrl`, Yandex `thumbnail`, `url` and `isFamilyFriendly`. */
function video(subject: Extract<Subject, { type: 'VideoObject' }>, references: References): VideoObject {
  const { url, image, company } = references;
  return {
    '@type': 'VideoObject',
    name: subject.name,
    description: subject.description,
    url,
    uploadDate: startOfDay(subject.published, company.workingHours.timeZone),
    duration: subject.duration,
    thumbnailUrl: image,
    thumbnail: { '@type': 'ImageObject', contentUrl: image },
    isFamilyFriendly: true,
    inLanguage: 'ru',
    transcript: subject.transcript,
    // Any other address is a page with a player of its own.
    ...(videoFile.test(subject.href) ? { contentUrl: subject.href } : { embedUrl: subject.href }),
  };
}

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

/** Google asks for a logo of at least 112 × 112 px. */
const logo = '/apple-touch-icon.png';

type Setting = {
  company: Company;
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  /** Absolute; used wherever an image is required. */
  image: string;
  modified: string | undefined;
};

type References = { url: string; organization: IdReference } & Setting;

/** A JSON-LD graph. Tests check what Google and Yandex require besides schema.org. */
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

/** Crawlers read each page alone, so all repeat the name, logo and phone. */
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

/** On the pages about the company. */
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

/** Groups days with the same hours. */
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

/** A list or questions become the page's main entity. */
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

/** Positions continue from the previous page. */
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

/** @returns `undefined` for subjects that `page` covers */
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

/** Only the leading price: all rows would add a kilobyte to the first round trip. */
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

/** Google wants only the name in `name`. */
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
    ...(videoFile.test(subject.href) ? { contentUrl: subject.href } : { embedUrl: subject.href }),
  };
}

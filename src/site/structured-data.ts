import type {
  Article,
  Graph,
  LocalBusiness,
  OpeningHoursSpecification,
  Organization,
  Person,
  Thing,
  VideoObject,
  WebSite,
} from 'schema-dts';
import { asciiMail } from '../lib/mail-address.ts';
import type { Company } from '../model/content.ts';
import { playerOf, videoFile } from '../model/player-address.ts';
import type { Head, PostFacts } from '../pages/page.ts';

/** Google wants a logo of at least 112 × 112 px. */
const logo = '/apple-touch-icon.png';

type Setting = {
  company: Company;
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  /** Used wherever an image is required. */
  image: string;
};

/**
 * Only what Google and Yandex display; breadcrumbs and the address are microdata. Tests check requirements beyond
 * schema.org.
 */
export function structuredData({ path, subject, noindex }: Head, setting: Setting): Graph | undefined {
  if (subject === undefined || noindex) return undefined;
  return { '@context': 'https://schema.org', '@graph': thingsAbout(subject, setting.siteUrl + path, setting) };
}

function thingsAbout(subject: NonNullable<Head['subject']>, url: string, setting: Setting): Thing[] {
  if (subject === 'site') return [webSite(setting)];
  if (subject === 'company') return [localBusiness(setting)];
  return [article(subject, url, setting), ...(subject.video ? [video(subject, subject.video, url, setting)] : [])];
}

function webSite(setting: Setting): WebSite {
  return {
    '@type': 'WebSite',
    url: `${setting.siteUrl}/`,
    name: setting.company.name,
    publisher: organization(setting),
    inLanguage: 'ru',
  };
}

function organization(setting: Setting): Organization {
  return { '@type': 'Organization', ...identity(setting) };
}

function identity({ company, siteUrl }: Setting) {
  return {
    '@id': `${siteUrl}/#organization`,
    name: company.name,
    url: `${siteUrl}/`,
    logo: siteUrl + logo,
    telephone: company.phone.number,
  };
}

function localBusiness(setting: Setting): LocalBusiness {
  const { company, siteUrl, image } = setting;
  const { address } = company;
  return {
    '@type': 'LocalBusiness',
    ...identity(setting),
    legalName: company.legalName,
    description: company.description,
    email: asciiMail(company.email),
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

function openingHours({ week }: Company['workingHours']): OpeningHoursSpecification[] {
  return weekdays.flatMap((dayOfWeek, index) =>
    (week[index] ?? []).map(
      ([opens, closes]): OpeningHoursSpecification => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek,
        opens,
        closes,
      }),
    ),
  );
}

function article(post: PostFacts, url: string, setting: Setting): Article {
  return {
    '@type': 'Article',
    url,
    mainEntityOfPage: url,
    headline: post.heading,
    description: post.description,
    image: setting.image,
    inLanguage: 'ru',
    datePublished: startOfDay(post.published, setting),
    dateModified: startOfDay(post.updated ?? post.published, setting),
    author: post.author ? person(post.author) : organization(setting),
    publisher: organization(setting),
    citation: post.sources?.map(({ text, href }) => ({ '@type': 'CreativeWork' as const, name: text, url: href })),
  };
}

/** Google wants nothing but the name in `name`. */
function person(author: string): Person {
  const [name = author, jobTitle] = author.split(/,\s*(.*)/s);
  return { '@type': 'Person', name, jobTitle };
}

/** Google reads `thumbnailUrl`, Yandex `thumbnail`, `url` and `isFamilyFriendly`. */
function video(
  post: PostFacts,
  { duration, href }: NonNullable<PostFacts['video']>,
  url: string,
  setting: Setting,
): VideoObject {
  const { image } = setting;
  return {
    '@type': 'VideoObject',
    name: post.heading,
    description: post.description,
    url,
    uploadDate: startOfDay(post.published, setting),
    duration,
    thumbnailUrl: image,
    thumbnail: { '@type': 'ImageObject', contentUrl: image },
    isFamilyFriendly: true,
    inLanguage: 'ru',
    transcript: post.body.text,
    ...(videoFile.test(href) ? { contentUrl: new URL(href, setting.siteUrl).href } : { embedUrl: playerOf(href) }),
  };
}

/** Google wants a time as well. */
function startOfDay(date: string, { company }: Setting): string {
  const midnight = Temporal.PlainDate.from(date).toZonedDateTime(company.workingHours.timeZone);
  return midnight.toString({ timeZoneName: 'never' });
}

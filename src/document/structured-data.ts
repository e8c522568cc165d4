import type { Head, Subject } from '../pages/page.ts';
import type { Company } from '../site/content.ts';

/** One node of JSON-LD, by the vocabulary of schema.org. */
type Thing = { '@type': string; [property: string]: unknown };

/**
 * What a page is about, as a JSON-LD graph: the organisation, the way to the page,
 * and the page's own subjects.
 *
 * @param siteUrl absolute address of the site, without a trailing slash
 */
export function structuredData(head: Head, company: Company, siteUrl: string): object {
  const organization = { '@id': `${siteUrl}/#organization` };
  const url = siteUrl + head.path;
  const graph: Thing[] = [
    {
      '@type': 'Organization',
      ...organization,
      name: company.name,
      legalName: company.legalName,
      url: `${siteUrl}/`,
      telephone: company.phone.number,
      email: company.email,
      address: {
        '@type': 'PostalAddress',
        streetAddress: company.address.street,
        addressLocality: company.address.locality,
        postalCode: company.address.postalCode,
        addressCountry: 'RU',
      },
    },
    ...(head.subjects ?? []).map((subject) => thing(subject, url, organization)),
  ];
  if (head.crumbs.length > 0) {
    const crumbs = [{ path: '/', text: 'Главная' }, ...head.crumbs];
    graph.push({
      '@type': 'BreadcrumbList',
      itemListElement: crumbs.map(({ path, text }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: text,
        item: siteUrl + path,
      })),
    });
  }
  return { '@context': 'https://schema.org', '@graph': graph };
}

function thing(subject: Subject, url: string, organization: object): Thing {
  switch (subject.type) {
    case 'Service':
      return { '@type': 'Service', url, provider: organization, ...without(subject, 'type') };
    case 'Article':
    case 'NewsArticle':
      return {
        '@type': subject.type,
        url,
        mainEntityOfPage: url,
        headline: subject.headline,
        description: subject.description,
        datePublished: subject.published,
        dateModified: subject.updated ?? subject.published,
        author: subject.author ? { '@type': 'Person', name: subject.author } : organization,
        publisher: organization,
      };
    case 'VideoObject':
      return {
        '@type': 'VideoObject',
        name: subject.name,
        description: subject.description,
        uploadDate: subject.published,
        duration: subject.duration,
        contentUrl: subject.href,
      };
    case 'FAQPage':
      return {
        '@type': 'FAQPage',
        mainEntity: subject.questions.map(({ question, answerHtml }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: answerHtml },
        })),
      };
  }
}

function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = value;
  return rest;
}

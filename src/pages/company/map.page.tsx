import { Callout } from '../../components/callout.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Section } from '../../components/section.tsx';
import { articlePath, casePath, newsPath } from '../../model/addresses.ts';
import { type Content, legalNames, wordsOf } from '../../model/content.ts';
import { defineSection } from '../page.ts';
import './map.css';

const path = '/map';

export const siteMap = defineSection({
  name: 'map',
  path,
  props: (content) => ({ sections: mapOf(content) }),
  dates: (_props, { services, cases, articles, news, legal }) => [
    ...services.map(({ updated }) => updated),
    ...[...cases, ...articles, ...news].map(({ published }) => published),
    ...legalNames.map((name) => legal[name].effective),
  ],
  Body: ({ text, sections, next }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} />
      <SearchForm label="Найти на сайте" />
      <div className="map">
        {sections.map(({ heading, entries }) => (
          <Section fold look="wide" key={heading} heading={heading}>
            <ul>
              {entries.map(({ to, text }) => (
                <li key={to}>
                  <a href={to}>{text}</a>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
      <Callout next={next} />
    </>
  ),
});

type MapSection = { heading: string; entries: { to: string; text: string }[] };

function mapOf(content: Content): MapSection[] {
  const { categories } = content;
  const headingOf = (name: string) => wordsOf(content, name).heading;
  const sections = content.sections.filter(({ to }) => to !== path);
  return [
    {
      heading: 'Разделы',
      entries: [{ to: '/', text: 'Главная' }, ...sections.map(({ name, to }) => ({ to, text: headingOf(name) }))],
    },
    { heading: 'Услуги', entries: content.services.map(({ to, text }) => ({ to, text })) },
    {
      heading: headingOf('reviews'),
      entries: categories.reviews.map(({ slug, heading }) => ({ to: `/reviews/${slug}`, text: heading })),
    },
    {
      heading: headingOf('cases'),
      entries: content.cases.map((item) => ({ to: casePath(item), text: item.heading })),
    },
    ...categories.blog.map(({ slug, text }) => ({
      heading: `${headingOf('blog')}: ${text}`,
      entries: [
        { to: `/blog/${slug}`, text: `Раздел «${text}»` },
        ...content.articles
          .filter(({ category }) => category === slug)
          .map((item) => ({ to: articlePath(item), text: item.heading })),
      ],
    })),
    {
      heading: headingOf('novosti'),
      entries: content.news.map((item) => ({ to: newsPath(item), text: item.heading })),
    },
    {
      heading: 'Документы',
      entries: legalNames.map((name) => ({ to: `/${name}`, text: content.legal[name].heading })),
    },
  ];
}

import { Callout } from '../design/callout.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { SearchForm } from '../design/search-form.tsx';
import { Section } from '../design/section.tsx';
import { defineSection } from '../document/page.ts';
import { articlePath, casePath, newsPath } from '../model/addresses.ts';
import { type Content, legalNames, wordsOf } from '../model/content.ts';
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
          <Section look="wide" key={heading} heading={heading}>
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

/** A section for each navigation menu; the first section has all other pages. */
function mapOf(content: Content): MapSection[] {
  const { categories, navigation, sections } = content;
  const headingOf = (name: string) => wordsOf(content, name).heading;
  const menus = navigation.header.flatMap(({ text, pages }) =>
    pages ? [{ text, paths: pages.map(({ to }) => to) }] : [],
  );
  const entries = (belongs: (to: string) => boolean) =>
    sections.filter(({ to }) => to !== path && belongs(to)).map(({ name, to }) => ({ to, text: headingOf(name) }));
  const blog = categories.blog.map((category) => ({
    heading: `${headingOf('blog')}: ${category.text}`,
    entries: [
      { to: `/blog/${category.slug}`, text: `Раздел «${category.text}»` },
      ...content.articles
        .filter((article) => article.category === category.slug)
        .map((article) => ({ to: articlePath(article), text: article.heading })),
    ],
  }));
  return [
    {
      heading: 'Разделы',
      entries: [{ to: '/', text: 'Главная' }, ...entries((to) => !menus.some(({ paths }) => paths.includes(to)))],
    },
    { heading: 'Услуги', entries: content.services.map(({ to, text }) => ({ to, text })) },
    ...menus
      .map(({ text, paths }) => ({ heading: text, entries: entries((to) => paths.includes(to)) }))
      .filter((section) => section.entries.length > 0),
    {
      heading: headingOf('reviews'),
      entries: categories.reviews.map(({ slug, heading }) => ({ to: `/reviews/${slug}`, text: heading })),
    },
    {
      heading: headingOf('cases'),
      entries: content.cases.map((item) => ({ to: casePath(item), text: item.heading })),
    },
    ...blog,
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

import { PageHeading } from '../design/page-heading.tsx';
import { SearchForm } from '../design/search-form.tsx';
import { Section } from '../design/section.tsx';
import { definePage } from '../document/page.ts';
import { articlePath, casePath, newsPath } from '../model/addresses.ts';
import { type Content, legalNames } from '../model/content.ts';
import './map.css';

const path = '/map';

/** The site map: every page, by section. */
export const siteMap = definePage({
  name: 'map',
  props(content) {
    const { heading, title, description, lead } = content.pages.map;
    return { text: { heading, title, description, lead }, sections: sections(content) };
  },
  head: ({ text }) => ({
    path,
    title: text.title,
    description: text.description,
    crumbs: [{ path, text: text.heading }],
  }),
  dates: (_props, { services, cases, articles, news, legal }) => [
    ...services.map(({ updated }) => updated),
    ...[...cases, ...articles, ...news].map(({ published }) => published),
    ...legalNames.map((name) => legal[name].effective),
  ],
  Body: ({ text, sections }) => (
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
    </>
  ),
});

type MapSection = { heading: string; entries: { to: string; text: string }[] };

function sections(content: Content): MapSection[] {
  const { pages, categories } = content;
  const blog = categories.blog.map((category) => ({
    heading: `${pages.blog.heading}: ${category.text}`,
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
      entries: [
        { to: '/', text: 'Главная' },
        ...(['rates', 'cargo', 'cases', 'reviews', 'blog', 'contacts'] as const).map((name) => ({
          to: `/${name}`,
          text: pages[name].heading,
        })),
        { to: '/rates/calc', text: pages.calc.heading },
      ],
    },
    { heading: 'Услуги', entries: content.services.map(({ to, text }) => ({ to, text })) },
    {
      heading: pages.about.heading,
      entries: [
        ...(['about', 'compliance', 'questions'] as const).map((name) => ({
          to: `/${name}`,
          text: pages[name].heading,
        })),
        { to: '/about/novosti', text: pages.novosti.heading },
      ],
    },
    {
      heading: pages.reviews.heading,
      entries: categories.reviews.map(({ slug, heading }) => ({ to: `/reviews/${slug}`, text: heading })),
    },
    {
      heading: pages.cases.heading,
      entries: content.cases.map((item) => ({ to: casePath(item), text: item.heading })),
    },
    ...blog,
    {
      heading: pages.novosti.heading,
      entries: content.news.map((item) => ({ to: newsPath(item), text: item.heading })),
    },
    {
      heading: 'Документы',
      entries: legalNames.map((name) => ({ to: `/${name}`, text: content.legal[name].heading })),
    },
  ];
}

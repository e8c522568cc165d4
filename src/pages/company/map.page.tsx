import { Callout } from '../../components/callout.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Section } from '../../components/section.tsx';
import { type Content, legalNames, pageText } from '../../model/content.ts';
import { type PagedKind, type PagedKindName, pagedKindNames, postKinds, postPages } from '../../model/post-kinds.ts';
import { defineSection } from '../page.ts';
import './map.css';

const path = '/map';

export const siteMap = defineSection({
  name: 'map',
  path,
  props: (content) => ({ sections: mapOf(content) }),
  dates: (_props, content) => [
    ...content.services.map(({ updated }) => updated),
    ...postPages(content).map(({ post }) => post.published),
    ...legalNames.map((name) => content.legal[name].effective),
  ],
  Body: ({ text, sections, next }) => (
    <>
      <PageHeading heading={text.heading} intro={text.lead} />
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
  const headingOf = (name: string) => pageText(content, name).heading;
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
    ...pagedKindNames.flatMap((kind) => postSections(content, kind)),
    {
      heading: 'Документы',
      entries: legalNames.map((name) => ({ to: `/${name}`, text: content.legal[name].heading })),
    },
  ];
}

/** One, or one for each category. */
function postSections(content: Content, name: PagedKindName): MapSection[] {
  const { list, categories }: PagedKind = postKinds[name];
  const { heading } = pageText(content, list.name);
  const posts = postPages(content).filter((page) => page.name === name);
  const entriesOf = (pages: typeof posts) => pages.map(({ path, post }) => ({ to: path, text: post.heading }));
  if (categories === undefined) return [{ heading, entries: entriesOf(posts) }];
  return content.categories[categories].map(({ slug, text }) => ({
    heading: `${heading}: ${text}`,
    entries: [
      { to: `${list.to}/${slug}`, text: `Раздел «${text}»` },
      ...entriesOf(posts.filter(({ post }) => post.category === slug)),
    ],
  }));
}

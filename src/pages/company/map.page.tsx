import { Callout } from '../../components/callout.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { type Content, hasPage, legalNames, pageText } from '../../model/content.ts';
import { categoriesOf } from '../../model/list-categories.ts';
import { type PagedKind, type PagedKindName, pagedKindNames, postKinds, postPages } from '../../model/post-kinds.ts';
import { defineSection } from '../page.ts';
import './map.css';

const path = '/map';

export const siteMap = defineSection({
  name: 'map',
  path,
  props: (content) => ({ sections: mapOf(content), search: hasPage(content, 'search') }),
  dates: (_props, content) => [
    ...content.services.map(({ updated }) => updated),
    ...postPages(content).map(({ post }) => post.published),
    ...legalNames.map((name) => content.legal[name].effective),
  ],
  Body: ({ text, sections, search, next }) => (
    <>
      <PageHeading heading={text.heading} intro={text.lead} />
      {search && <SearchForm label="Найти на сайте" />}
      <div className="map">
        {sections.map(({ heading, entries }) => (
          <Section fold variant="wide" key={heading} heading={heading}>
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
      <Guide prose={text.body} />
      <Callout next={next} />
    </>
  ),
});

type MapSection = { heading: string; entries: { to: string; text: string }[] };

function mapOf(content: Content): MapSection[] {
  const headingOf = (name: string) => pageText(content, name).heading;
  const sections = content.sections.filter(({ to }) => to !== path);
  const reviews = categoriesOf(content, 'review');
  const all = [
    {
      heading: 'Разделы',
      entries: [{ to: '/', text: 'Главная' }, ...sections.map(({ name, to }) => ({ to, text: headingOf(name) }))],
    },
    { heading: 'Услуги', entries: content.services.map(({ to, text }) => ({ to, text })) },
    ...(reviews.length > 0
      ? [
          {
            heading: headingOf('reviews'),
            entries: reviews.map(({ slug, heading }) => ({ to: `/reviews/${slug}`, text: heading })),
          },
        ]
      : []),
    ...pagedKindNames.flatMap((kind) => postSections(content, kind)),
    {
      heading: 'Документы',
      entries: legalNames.map((name) => ({ to: `/${name}`, text: content.legal[name].heading })),
    },
  ];
  return all.filter(({ entries }) => entries.length > 0);
}

/** One, or one for each category. */
function postSections(content: Content, name: PagedKindName): MapSection[] {
  const { list, categories }: PagedKind = postKinds[name];
  if (!hasPage(content, list.name)) return [];
  const { heading } = pageText(content, list.name);
  const posts = postPages(content).filter((page) => page.name === name);
  const entriesOf = (pages: typeof posts) => pages.map(({ path, post }) => ({ to: path, text: post.heading }));
  if (categories === undefined) return [{ heading, entries: entriesOf(posts) }];
  return categoriesOf(content, name).map(({ slug, text }) => ({
    heading: `${heading}: ${text}`,
    entries: [
      { to: `${list.to}/${slug}`, text: `Раздел «${text}»` },
      ...entriesOf(posts.filter(({ post }) => post.category === slug)),
    ],
  }));
}

import { Fragment, type ReactElement } from 'react';
import { Action } from '../../components/action.tsx';
import { Callout, nextStep, StepActions } from '../../components/callout.tsx';
import type { Crumb } from '../../components/layout/breadcrumbs.tsx';
import { NavigationLink } from '../../components/layout/navigation-link.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Drawing } from '../../components/picture.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { SampleMark } from '../../components/sample-mark.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../../lib/paginate.ts';
import { type Category, type Content, wordsOf } from '../../model/content.ts';
import { definePage, type Page, type PageFacts, type Query } from '../page.ts';
import { CardList } from './post-card.tsx';
import '../../components/pills.css';

type ListedPost = { slug: string; published: string; category?: string; sample?: boolean };

type ListDefinition<Post extends ListedPost, Summary extends ListedPost> = PageFacts & {
  path: string;
  /** Splits the list by category, at `path/:category`. */
  byCategory?: boolean;
  above?(content: Content): readonly Crumb[];
  /** Newest first. */
  posts(content: Content): readonly Post[];
  categories?(content: Content): readonly Category[];
  summarise(content: Content): (post: Post) => Summary;
  Card(props: { item: Summary; level: Level }): ReactElement;
};

type Params = { category?: string };

export function listPage<Post extends ListedPost, Summary extends ListedPost>(
  definition: ListDefinition<Post, Summary>,
): Page {
  const { name, share, path: root, byCategory = false, categories = () => [], Card } = definition;
  return definePage({
    name,
    share,
    path: byCategory ? `${root}/:category` : root,
    section: byCategory ? undefined : 'listed',
    query: ['page'],
    paths: (content): readonly Params[] =>
      byCategory ? categories(content).map(({ slug }) => ({ category: slug })) : [{}],
    props: (content, { category }: Params, query) => listAt(definition, content, category, query),
    head: ({ path, text, crumbs, list: { page, pages } }) => ({
      path: pagePath(path, page),
      title: pageTitle(text.title, page),
      description: text.description,
      crumbs,
      ...neighbours(path, page, pages),
    }),
    dates: ({ list }) => list.items.map(({ published }) => published),
    Body: ({ path, text, image, links, list, samples, next }) => (
      <>
        <PageHeading heading={text.heading} lead={text.lead} drawing={<Drawing image={image} />}>
          <StepActions next={next} />
        </PageHeading>
        {links.length > 0 && <CategoryLinks links={[{ to: root, text: 'Все' }, ...links]} path={path} />}
        {list.items.length === 0 && <p className="lead">Здесь пока пусто. Посмотрите соседние разделы.</p>}
        {samples && (
          <p className="list-note">
            <SampleMark /> Имена и цифры придуманы.
          </p>
        )}
        <CardList>
          {list.items.map((item, index) => (
            <Fragment key={item.slug}>
              {next && index % cardsPerAction === 2 && (
                <li className="card-action">
                  <Action quiet preset={next.preset} />
                </li>
              )}
              <Card item={item} level={2} />
            </Fragment>
          ))}
        </CardList>
        <Pagination path={path} page={list.page} pages={list.pages} />
        <Callout next={next} />
      </>
    ),
  });
}

/** Phones scroll less than 1,500 px from one to the next. */
const cardsPerAction = 3;

/** `undefined` if there is no such category or page. */
function listAt<Post extends ListedPost, Summary extends ListedPost>(
  { name, path: root, above = () => [], posts, categories = () => [], summarise }: ListDefinition<Post, Summary>,
  content: Content,
  category: string | undefined,
  query: Query,
) {
  const words = wordsOf(content, name);
  const all = categories(content);
  const chosen = all.find(({ slug }) => slug === category);
  if (category !== undefined && !chosen) return undefined;
  const wanted = posts(content).filter((post) => !chosen || post.category === chosen.slug);
  const list = paginate(wanted, query);
  if (!list) return undefined;
  const path = chosen ? `${root}/${chosen.slug}` : root;
  const crumbs = [...above(content), { path: root, text: words.heading }];
  const { heading, title, description, lead } = chosen ?? words;
  const items = list.items.map(summarise(content));
  const samples = items.length > 0 && items.every(({ sample }) => sample);
  return {
    path,
    text: { heading, title, description, lead },
    image: words.image,
    crumbs: chosen ? [...crumbs, { path, text: chosen.text }] : crumbs,
    links: all.map(({ slug, text }) => ({ to: `${root}/${slug}`, text })),
    // Said once for the list, if it holds for all of it.
    list: { ...list, items: samples ? items.map((item) => ({ ...item, sample: false })) : items },
    samples,
    next: nextStep(content, words.callout),
  };
}

function CategoryLinks({ links, path }: { links: readonly { to: string; text: string }[]; path: string }) {
  return (
    <nav className="pills" aria-label="Разделы">
      <ul>
        {links.map(({ to, text }) => (
          <li key={to}>
            <NavigationLink to={to} text={text} path={path} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

import type { ReactElement } from 'react';
import { actionOf, Callout, nextStep, StepActions } from '../../components/callout.tsx';
import { NavigationLink } from '../../components/layout/navigation-link.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Drawing } from '../../components/picture.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../../lib/paginate.ts';
import { type Content, hasPage, pageText } from '../../model/content.ts';
import { categoriesOf } from '../../model/list-categories.ts';
import { type PostKindName, type PostOf, postKinds, postsOf } from '../../model/post-kinds.ts';
import { definePage, type Page, type PageFacts, type QueryValues } from '../page.ts';
import { listCrumbs } from './list-crumbs.ts';
import { CardList } from './post-card.tsx';
import '../../components/pills.css';

type ListedPost = { slug: string; published: string; category?: string; sample?: boolean };

type ListDefinition<K extends PostKindName, Summary extends ListedPost> = Pick<PageFacts, 'share'> & {
  kind: K;
  /** The introduction of a list of samples, which do not pose as clients; other kinds do not say that they are samples. */
  sampleIntro?: string;
  /** The cards have all lengths. */
  uneven?: boolean;
  /** @param category if the list has only this one */
  summarise(content: Content, category: string | undefined): (post: PostOf<K>) => Summary;
  Card(props: { item: Summary; level: Level }): ReactElement;
};

type Params = { category?: string };

/** The list of all posts, and those of a category at `path/:category` if the kind has categories. */
export function listPages<K extends PostKindName, Summary extends ListedPost>(
  definition: ListDefinition<K, Summary>,
): Page[] {
  const pages = [listPage(definition, false)];
  return 'categories' in postKinds[definition.kind] ? [...pages, listPage(definition, true)] : pages;
}

function listPage<K extends PostKindName, Summary extends ListedPost>(
  definition: ListDefinition<K, Summary>,
  byCategory: boolean,
): Page {
  const { kind, share, uneven, Card } = definition;
  const { name, to: root } = postKinds[kind].list;
  return definePage({
    name,
    share,
    path: byCategory ? `${root}/:category` : root,
    section: byCategory ? undefined : 'listed',
    query: ['page'],
    paths: (content): readonly Params[] => {
      if (!hasPage(content, name)) return [];
      return byCategory ? categoriesOf(content, kind).map(({ slug }) => ({ category: slug })) : [{}];
    },
    props: (content, { category }: Params, query) => listAt(definition, content, category, query),
    head: ({ path, text, crumbs, next, list: { page, pages } }) => ({
      path: pagePath(path, page),
      title: pageTitle(text.title, page),
      description: text.description,
      crumbs,
      action: actionOf(next),
      ...neighbours(path, page, pages),
    }),
    dates: ({ list }) => list.items.map(({ published }) => published),
    Body: ({ path, text, body, image, links, list, samples, next }) => (
      <>
        <PageHeading heading={text.heading} intro={text.lead} drawing={<Drawing image={image} />}>
          <StepActions next={next} />
        </PageHeading>
        {links.length > 0 && <CategoryLinks links={[{ to: root, text: 'Все' }, ...links]} path={path} />}
        {samples && (
          <p className="list-note">
            <Stamp text="Образец" />
          </p>
        )}
        <CardList uneven={uneven}>
          {list.items.map((item) => (
            <Card key={item.slug} item={item} level={2} />
          ))}
        </CardList>
        <Pagination path={path} page={list.page} pages={list.pages} />
        {body && <Guide prose={body} />}
        <Callout next={next} />
      </>
    ),
  });
}

/** `undefined` if there is no such list, category or page. */
function listAt<K extends PostKindName, Summary extends ListedPost>(
  { kind, sampleIntro, summarise }: ListDefinition<K, Summary>,
  content: Content,
  category: string | undefined,
  query: QueryValues,
) {
  const { name, to: root } = postKinds[kind].list;
  if (!hasPage(content, name)) return undefined;
  const words = pageText(content, name);
  const all = categoriesOf(content, kind);
  const chosen = all.find(({ slug }) => slug === category);
  if (category !== undefined && !chosen) return undefined;
  const wanted = postsOf(content, kind).filter((post) => !chosen || post.category === chosen.slug);
  const list = paginate(wanted, query);
  if (!list) return undefined;
  const path = chosen ? `${root}/${chosen.slug}` : root;
  const { heading, title, description, lead } = chosen ?? words;
  const items = list.items.map(summarise(content, category));
  const samples = sampleIntro !== undefined && items.length > 0 && items.every(({ sample }) => sample);
  return {
    path,
    text: samples
      ? { heading: `${heading}: образец`, lead: sampleIntro, title, description }
      : { heading, lead, title, description },
    // Of the whole list, on its first page.
    body: chosen || list.page > 1 ? undefined : words.body,
    image: words.image,
    crumbs: listCrumbs(content, kind, category),
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

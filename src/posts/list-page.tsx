import type { ReactElement } from 'react';
import { Callout, nextStep, StepActions } from '../design/callout.tsx';
import type { Level } from '../design/heading.tsx';
import type { Crumb } from '../design/layout/breadcrumbs.tsx';
import { NavigationLink } from '../design/layout/navigation-link.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { Pagination } from '../design/pagination.tsx';
import { Drawing } from '../design/picture.tsx';
import { definePage, type Page, type PageFacts, type Placed } from '../document/page.ts';
import { type Category, type Content, wordsOf } from '../model/content.ts';
import { CardList } from './post-card.tsx';
import '../design/pills.css';

type ListedPost = { slug: string; published: string; category?: string };

type ListDefinition<Post extends ListedPost, Summary extends ListedPost> = PageFacts & {
  path: string;
  /** Breadcrumbs before the list. */
  above?(content: Content): readonly Crumb[];
  /** Newest first. */
  posts(content: Content): readonly Post[];
  categories?(content: Content): readonly Category[];
  summarise(content: Content): (post: Post) => Summary;
  Card(props: { item: Summary; level: Level }): ReactElement;
};

export function listPage<Post extends ListedPost, Summary extends ListedPost>(
  definition: ListDefinition<Post, Summary>,
): Page {
  return pageOf(definition, { path: definition.path, section: 'listed' }, () => [{}]);
}

export function categoryPage<Post extends ListedPost, Summary extends ListedPost>(
  definition: ListDefinition<Post, Summary>,
): Page {
  const { path, categories = () => [] } = definition;
  return pageOf(definition, { path: `${path}/:category` }, (content) =>
    categories(content).map(({ slug }) => ({ category: slug })),
  );
}

type Params = { category?: string };

function pageOf<Post extends ListedPost, Summary extends ListedPost>(
  definition: ListDefinition<Post, Summary>,
  place: Pick<Placed, 'path' | 'section'>,
  paths: (content: Content) => readonly Params[],
): Page {
  const { name, share, path: root, above = () => [], posts, categories = () => [], summarise, Card } = definition;
  return definePage({
    name,
    share,
    ...place,
    query: ['page'],
    paths,
    props(content, { category }: Params, query) {
      const words = wordsOf(content, name);
      const all = categories(content);
      const chosen = all.find(({ slug }) => slug === category);
      if (category !== undefined && !chosen) return undefined;
      const list = paginate(
        posts(content).filter((post) => !chosen || post.category === chosen.slug),
        query,
      );
      if (!list) return undefined;
      const path = chosen ? `${root}/${chosen.slug}` : root;
      const crumbs = [...above(content), { path: root, text: words.heading }];
      const { heading, title, description, lead } = chosen ?? words;
      return {
        path,
        text: { heading, title, description, lead },
        image: words.image,
        crumbs: chosen ? [...crumbs, { path, text: chosen.text }] : crumbs,
        categories: all.map(({ slug, text }) => ({ to: `${root}/${slug}`, text })),
        list: { ...list, items: list.items.map(summarise(content)) },
        next: nextStep(content, words.callout),
      };
    },
    head: ({ path, text, crumbs, list: { page, pages } }) => ({
      path: pagePath(path, page),
      title: pageTitle(text.title, page),
      description: text.description,
      crumbs,
      ...neighbours(path, page, pages),
    }),
    dates: ({ list }) => list.items.map(({ published }) => published),
    Body: ({ path, text, image, categories: links, list, next }) => (
      <>
        <PageHeading heading={text.heading} lead={text.lead} drawing={<Drawing image={image} />}>
          <StepActions next={next} />
        </PageHeading>
        {links.length > 0 && (
          <nav className="pills" aria-label="Разделы">
            <ul>
              {[{ to: root, text: 'Все' }, ...links].map((link) => (
                <li key={link.to}>
                  <NavigationLink to={link.to} text={link.text} path={path} />
                </li>
              ))}
            </ul>
          </nav>
        )}
        {list.items.length === 0 && <p className="lead">Здесь пока пусто. Посмотрите соседние разделы.</p>}
        <CardList>
          {list.items.map((item) => (
            <Card key={item.slug} item={item} level={2} />
          ))}
        </CardList>
        <Pagination path={path} page={list.page} pages={list.pages} />
        <Callout next={next} />
      </>
    ),
  });
}

import { createElement, type ReactElement } from 'react';
import type { PageAction } from '../components/action.tsx';
import { actionOf, type NextStep, nextStep } from '../components/callout.tsx';
import type { Crumb } from '../components/layout/breadcrumbs.tsx';
import { type Article, type Content, hasPage, localToday, type PageText } from '../model/content.ts';
import type { Illustration } from '../model/illustration.ts';

/** `/cases/:id` gives `{ id }`. */
export type Params = Readonly<Record<string, string>>;

/** Repeated parameters keep their first value. */
export type QueryValues = Readonly<Record<string, string | undefined>>;

export type PostFacts = Pick<Article, 'heading' | 'description' | 'published' | 'body'> &
  Partial<Pick<Article, 'author' | 'updated' | 'sources' | 'video'>>;

export type Head = {
  /** Canonical, with the query if there is one: `/cases?page=2`. */
  path: string;
  title: string;
  description: string;
  /** Without the home page; ends with the page itself. */
  crumbs: readonly Crumb[];
  /** In the bar at the bottom of phones. */
  action?: PageAction;
  subject?: 'site' | 'company' | PostFacts;
  drawing?: string;
  /** Preloaded. */
  hero?: Illustration;
  noindex?: boolean;
  previous?: string;
  next?: string;
};

export type PageFacts = {
  /** `cases` for `cases.page.tsx`; also selects the stylesheet. */
  name: string;
  /** A script shows parts of other answers of this page, so that any of its styles may be needed. */
  refreshed?: true;
  /** No analytics: the page shows personal data, or its address is secret. */
  uncounted?: true;
  /** For staff: without the menus and the footer of visitors. */
  staff?: true;
  /** Menus link to the page on the page itself, too. */
  linkedInMenus?: true;
  /** Allows Yandex Maps in the content security policy. */
  mapped?: true;
  /** `drawing` is a file in `public/`. */
  share?: { drawing?: string; label?: string };
};

/** An opened page; the renderer makes a document of it. */
export type PageView = {
  page: PageFacts;
  head: Head;
  body: ReactElement;
  /** Embedded in the payload. */
  data: unknown;
  modified?: string;
};

/** A row of the route table. */
export type Page = PageFacts & {
  /** A path-to-regexp pattern. */
  path: string;
  /** `listed` sections appear in the site map and search. */
  section?: 'listed' | 'unlisted';
  /** What a request with a query waits for. */
  prepare?(content: Content): Promise<void>;
  query: readonly string[];
  paths(content: Content): readonly Params[];
  /** `undefined` if the parameters are invalid. */
  open(content: Content, params: Params, query: QueryValues): PageView | undefined;
};

type ViewDefinition<Props extends object> = PageFacts & {
  head(props: Props): Head;
  /** Defaults to the props. */
  data?(props: Props): unknown;
  Body(props: Props): ReactElement;
};

/** For pages outside the route table. */
export function defineView<Props extends object>(
  definition: ViewDefinition<Props>,
): (props: Props, modified?: string) => PageView {
  const { head, data = (props) => props, Body, ...page } = definition;
  return (props, modified) => {
    return { page, head: head(props), body: createElement(Body, props), data: data(props), modified };
  };
}

type PageDefinition<P extends Params, Props extends object> = ViewDefinition<Props> &
  Pick<Page, 'path' | 'section' | 'prepare'> & {
    query?: readonly string[];
    /** Omitted for pages without parameters. */
    paths?(content: Content): readonly P[];
    /** Pure; `undefined` if the parameters are invalid. */
    props(content: Content, params: P, query: QueryValues): Props | undefined;
    /** The latest date that is not in the future becomes `lastmod` of the sitemap. */
    dates?(props: Props, content: Content): readonly (string | undefined)[];
  };

export function definePage<P extends Params, Props extends object>(definition: PageDefinition<P, Props>): Page {
  const { query = [], paths = () => [{} as P], props, dates = () => [], ...page } = definition;
  const view = defineView(page);
  return {
    ...page,
    query,
    paths,
    open(content, params, queryValues) {
      // The pattern names the parameters, so they have this shape.
      const data = props(content, params as P, queryValues);
      return data && view(data, newest(dates(data, content), content));
    },
  };
}

type WithText<Props> = Props & { text: PageText; next: NextStep | undefined };

type SectionDefinition<Props extends object> = PageFacts &
  Pick<Page, 'path' | 'section' | 'prepare'> & {
    /** Defaults to the name of the page. */
    textName?: string;
    query?: readonly string[];
    /** `undefined` if the query is invalid. */
    props(content: Content, query: QueryValues): Props | undefined;
    head?(props: WithText<Props>): Partial<Head>;
    dates?(props: WithText<Props>, content: Content): readonly (string | undefined)[];
    Body(props: WithText<Props>): ReactElement;
  };

/** The text is in `pages/{textName}.md`. */
export function defineSection<Props extends object>(definition: SectionDefinition<Props>): Page {
  const { props, head = () => ({}), textName = definition.name, ...page } = definition;
  const { path, section = 'listed' } = page;
  return definePage({
    ...page,
    section,
    paths: (content) => (hasPage(content, textName) ? [{}] : []),
    props(content, _params: Params, query): WithText<Props> | undefined {
      const text = content.pages[textName];
      const own = text && props(content, query);
      return own && { ...own, text, next: nextStep(content, text.callout) };
    },
    head: (data) => ({
      ...pageHead(path, data.text),
      action: actionOf(data.next),
      noindex: data.text.unpublished !== undefined,
      ...head(data),
    }),
  });
}

/** @param above breadcrumbs before the page */
export function pageHead(
  path: string,
  { heading, title, description }: Pick<PageText, 'heading' | 'title' | 'description'>,
  above: readonly Crumb[] = [],
): Head {
  return { path, title, description, crumbs: [...above, { path, text: heading }] };
}

/** Skips future dates. */
function newest(dates: readonly (string | undefined)[], content: Content): string | undefined {
  const today = localToday(content);
  return dates
    .filter((date) => date !== undefined && date <= today)
    .sort()
    .at(-1);
}

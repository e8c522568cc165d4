import { createElement, type ReactElement } from 'react';
import { type NextStep, nextStep } from '../design/callout.tsx';
import type { Crumb } from '../design/layout/breadcrumbs.tsx';
import { localTime } from '../lib/calendar.ts';
import { type Content, type PageText, type RateGroup, wordsOf } from '../model/content.ts';
import type { Illustration } from '../model/illustration.ts';

/** The named parts of a route's path: `/cases/:id` gives `{ id }`. */
export type Params = Readonly<Record<string, string>>;

/** Query parameters that a page reads, by name; the first value counts. */
export type Query = Readonly<Record<string, string | undefined>>;

/** What a page is about, for structured data; absolute addresses are added when the document is made. */
export type Subject =
  | { type: 'WebSite' }
  | { type: 'Service'; name: string; description: string; areaServed: string; groups: readonly RateGroup[] }
  | { type: 'OfferCatalog'; name: string; groups: readonly RateGroup[] }
  | {
      type: 'Article' | 'BlogPosting' | 'NewsArticle';
      headline: string;
      description: string;
      /** «Имя, должность». */
      author?: string;
      published: string;
      updated?: string;
      sources?: readonly { text: string; href: string }[];
    }
  | {
      type: 'VideoObject';
      name: string;
      description: string;
      published: string;
      duration: string;
      href: string;
      transcript: string;
    }
  | { type: 'ItemList'; entries: readonly ListEntry[]; page: number; total: number }
  | { type: 'FAQPage'; questions: readonly { question: string; answerHtml: string }[] };

/** What a list leads to: an address of this site, or an element of the page itself, `#slug`. */
export type ListEntry = { to: string; name: string };

export type Head = {
  /** Canonical address within the site, with the query if the page has one: `/cases?page=2`. */
  path: string;
  title: string;
  description: string;
  /** The way here from the home page, which is not listed; the last entry is the page itself. */
  crumbs: readonly Crumb[];
  /** What the page itself is, where that says more than its subjects. */
  kind?: 'AboutPage' | 'ContactPage';
  subjects?: readonly Subject[];
  /** Address of the drawing that says what the page is about; the picture that the page is shared with has it. */
  drawing?: string;
  /** The picture of the first screen, which is fetched before the page is laid out; `sizes` as where it stands. */
  hero?: { picture: Illustration; sizes: string };
  /** Keeps the page out of search engines. */
  noindex?: boolean;
  /** Shared as an article rather than as a page of the site. */
  article?: boolean;
  previous?: string;
  next?: string;
};

/** What is the same of all views of a page. */
export type PageFacts = {
  /** The file's own name, `case` for `case.page.tsx`: the stylesheet is found by it. */
  name: string;
  /** It shows personal data, or its address is a secret: no counter may learn of it. */
  uncounted?: true;
  /** What whoever sees it has reached, which is all that a counter may learn of it. */
  goal?: string;
  /** It shows a map, which a third party draws. */
  mapped?: true;
  /** What the picture shows that goes with links to it: a file of `public/`, and in words what kind of page it is. */
  share?: { drawing?: string; label?: string };
};

/** A page with its props filled in, ready to become a document. */
export type View = {
  page: PageFacts;
  head: Head;
  body: ReactElement;
  /** What the payload publishes. */
  data: unknown;
  /** The day on which what the page says last changed, as far as the content knows. */
  modified?: string;
};

/** What is known of a page that has an address of its own, in the table of routes. */
export type Placed = PageFacts & {
  /** A pattern of path-to-regexp, the library that Express matches with. */
  path: string;
  /** Set if its words lie in `pages/{name}.md` of the content; the map and the search have it if it is listed. */
  section?: 'listed' | 'unlisted';
};

/** One screen of the site, at an address of its own. */
export type Page = Placed & {
  /** Query parameters that change what the page shows. */
  query: readonly string[];
  /** Every set of parameters that can be prerendered. */
  paths(content: Content): readonly Params[];
  /** What `open` needs for a page with a query, made beside other work. */
  prepare?: ((content: Content) => Promise<void>) | undefined;
  /** The page with these parameters; `undefined` when they fail validation. */
  open(content: Content, params: Params, query: Query): View | undefined;
};

type Screen<Props extends object> = PageFacts & {
  head(props: Props): Head;
  /** What the payload publishes; without it, the props. */
  data?(props: Props): unknown;
  Body(props: Props): ReactElement;
};

/** Makes views from props. On its own, for what a router shows: pages without an address in the table of routes. */
export function defineView<Props extends object>(screen: Screen<Props>): (props: Props, modified?: string) => View {
  const { head, data = (props) => props, Body, ...page } = screen;
  return (props, modified) => {
    return { page, head: head(props), body: createElement(Body, props), data: data(props), modified };
  };
}

type Definition<P extends Params, Props extends object> = Screen<Props> &
  Placed & {
    query?: readonly string[];
    prepare?: Page['prepare'];
    /** Without it, the page has no parameters and is prerendered once. */
    paths?(content: Content): readonly P[];
    /** Pure: what the page takes from the content; `undefined` when the parameters fail validation. */
    props(content: Content, params: P, query: Query): Props | undefined;
    /** Days on which what the page shows was changed; of those that have come, search engines are told the newest. */
    dates?(props: Props, content: Content): readonly (string | undefined)[];
  };

/**
 * Makes a page. Its props and parameters stay its own business: outside, every
 * page has the same type.
 */
export function definePage<P extends Params, Props extends object>(definition: Definition<P, Props>): Page {
  const { query = [], paths = () => [{} as P], props, dates = () => [], ...screen } = definition;
  const view = defineView(screen);
  return {
    ...screen,
    query,
    paths,
    open(content, params, queryValues) {
      // The route's path is what names the parameters, so they have the shape that the page asks for.
      const data = props(content, params as P, queryValues);
      return data && view(data, newest(dates(data, content), content));
    },
  };
}

type Worded<Props> = Props & { text: PageText; next: NextStep | undefined };

type SectionDefinition<Props extends object> = Placed & {
  /** The file of `pages` that has them, if it is not called like the page. */
  words?: string;
  query?: readonly string[];
  prepare?: Page['prepare'];
  /** What it takes from the content besides its words and its next step; `undefined` when the query fails validation. */
  props(content: Content, query: Query): Props | undefined;
  /** What its words do not say of it. */
  head?(props: Worded<Props>): Partial<Head>;
  dates?(props: Worded<Props>, content: Content): readonly (string | undefined)[];
  Body(props: Worded<Props>): ReactElement;
};

/** Makes the page of a section: one without parameters, whose words lie in `pages/{words}.md` of the content. */
export function defineSection<Props extends object>(definition: SectionDefinition<Props>): Page {
  const { props, head = () => ({}), words = definition.name, ...page } = definition;
  const { path, section = 'listed' } = page;
  return definePage({
    ...page,
    section,
    props(content, _params: Params, query): Worded<Props> | undefined {
      const own = props(content, query);
      const text = wordsOf(content, words);
      return own && { ...own, text, next: nextStep(content, text.callout) };
    },
    head: (data) => ({ ...wordedHead(path, data.text), ...head(data) }),
  });
}

/** What a head takes from the words of its page. @param above the way from the home page, without the page itself */
export function wordedHead(
  path: string,
  { heading, title, description }: Pick<PageText, 'heading' | 'title' | 'description'>,
  above: readonly Crumb[] = [],
): Head {
  return { path, title, description, crumbs: [...above, { path, text: heading }] };
}

/** A price list may hold from a later day on; nothing has been changed in the future. */
function newest(dates: readonly (string | undefined)[], { at, company }: Content): string | undefined {
  const today = localTime(new Date(at), company.workingHours.timeZone).date;
  return dates
    .filter((date) => date !== undefined && date <= today)
    .sort()
    .at(-1);
}

import { PageHeading } from '../design/page-heading.tsx';
import { neighbours, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import { Pagination } from '../design/pagination.tsx';
import { listSubject } from '../document/list-subject.ts';
import { definePage } from '../document/page.ts';
import { NewsList, summariseNews } from './news-list.tsx';

const path = '/about/novosti';

/** The company's own news. */
export const novosti = definePage({
  name: 'novosti',
  query: ['page'],
  props(content, _params, query) {
    const { heading, title, description, lead } = content.pages.novosti;
    const list = paginate(content.news.map(summariseNews), query);
    return list && { text: { heading, title, description, lead }, parent: content.pages.about.heading, list };
  },
  head: ({ text, parent, list }) => ({
    path: pagePath(path, list.page),
    title: pageTitle(text.title, list.page),
    description: text.description,
    crumbs: [
      { path: '/about', text: parent },
      { path, text: text.heading },
    ],
    subjects: [listSubject(list, ({ slug, heading }) => ({ to: `/about/novosti/${slug}`, name: heading }))],
    ...neighbours(path, list.page, list.pages),
  }),
  dates: ({ list }) => list.items.map(({ published }) => published),
  Body: ({ text, list }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} />
      <NewsList items={list.items} level={2} />
      <Pagination path={path} page={list.page} pages={list.pages} />
    </>
  ),
});

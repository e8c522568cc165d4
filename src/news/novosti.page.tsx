import { PageHeading } from '../design/page-heading.tsx';
import { Pagination } from '../design/pagination.tsx';
import { defineList } from '../document/list-page.ts';
import { newsPath } from '../model/addresses.ts';
import { wordsOf } from '../model/content.ts';
import { NewsList, summariseNews } from './news-list.tsx';

const path = '/about/novosti';

/** The company's own news. */
export const novosti = defineList({
  name: 'novosti',
  path,
  section: 'listed',
  share: { drawing: '/images/steps/shipping.svg' },
  list: (content) => ({
    path,
    text: wordsOf(content, 'novosti'),
    crumbs: [
      { path: '/about', text: wordsOf(content, 'about').heading },
      { path, text: wordsOf(content, 'novosti').heading },
    ],
    items: content.news.map(summariseNews),
  }),
  entry: (item) => ({ to: newsPath(item), name: item.heading }),
  Body: ({ text, list }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} />
      <NewsList items={list.items} level={2} />
      <Pagination path={path} page={list.page} pages={list.pages} />
    </>
  ),
});

import { Callout, nextStep } from '../design/callout.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Pagination } from '../design/pagination.tsx';
import { Drawing } from '../design/picture.tsx';
import { defineList } from '../document/list-page.ts';
import { newsPath } from '../model/addresses.ts';
import { wordsOf } from '../model/content.ts';
import { NewsList, summariseNews } from './news-list.tsx';

const path = '/about/novosti';

export const novosti = defineList({
  name: 'novosti',
  path,
  section: 'listed',
  share: { drawing: '/images/presets/request.svg' },
  list: (content) => ({
    path,
    text: wordsOf(content, 'novosti'),
    image: wordsOf(content, 'novosti').image,
    crumbs: [
      { path: '/about', text: wordsOf(content, 'about').heading },
      { path, text: wordsOf(content, 'novosti').heading },
    ],
    items: content.news.map(summariseNews(content)),
    next: nextStep(content, wordsOf(content, 'novosti').callout),
  }),
  entry: (item) => ({ to: newsPath(item), name: item.heading }),
  Body: ({ text, image, list, next }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} drawing={<Drawing image={image} />} />
      <NewsList items={list.items} level={2} />
      <Pagination path={path} page={list.page} pages={list.pages} />
      <Callout next={next} />
    </>
  ),
});

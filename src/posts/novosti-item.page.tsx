import { Callout, nextStep } from '../design/callout.tsx';
import { DateText, SinceText } from '../design/date-text.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Section } from '../design/section.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { definePage, wordedHead } from '../document/page.ts';
import { newsPath } from '../model/addresses.ts';
import { wordsOf } from '../model/content.ts';
import { type Force, forceOf } from './in-force.ts';
import { NewsList, summariseNews } from './news-list.tsx';

const forceTerm: Readonly<Record<Force, string>> = {
  coming: 'Будет действовать',
  current: 'Действует',
  past: 'Уже прошло, действовало',
};

/** Slug and id are both valid addresses. */
export const newsItem = definePage({
  name: 'novosti-item',
  path: '/about/novosti/:id',
  share: { drawing: '/images/presets/request.svg' },
  paths: (content) => content.news.flatMap(({ id, slug }) => [{ id: slug }, { id: String(id) }]),
  props(content, { id }: { id: string }) {
    const item = content.news.find((one) => one.slug === id || String(one.id) === id);
    if (!item) return undefined;
    const others = content.news.filter((one) => one !== item).slice(0, 3);
    return {
      item,
      force: forceOf(content)(item),
      about: wordsOf(content, 'about').heading,
      list: wordsOf(content, 'novosti').heading,
      others: others.map(summariseNews(content)),
      next: nextStep(content, item.callout ?? wordsOf(content, 'novosti').callout),
    };
  },
  head: ({ item, about, list }) => ({
    ...wordedHead(newsPath(item), item, [
      { path: '/about', text: about },
      { path: '/about/novosti', text: list },
    ]),
    article: true,
    noindex: item.unpublished !== undefined,
    subjects: [
      { type: 'NewsArticle', headline: item.heading, description: item.description, published: item.published },
    ],
  }),
  dates: ({ item }) => [item.published],
  Body: ({ item, force, others, next }) => (
    <>
      <article>
        <PageHeading
          heading={item.heading}
          lead={item.description}
          label={
            <FactList
              facts={[
                { term: forceTerm[force], value: <SinceText date={item.since} />, main: true },
                ...(item.until ? [{ term: 'Последний день', value: <DateText date={item.until} /> }] : []),
                { term: 'Что сделать', value: item.action, wide: true },
                {
                  term: 'Опубликовано',
                  value: (
                    <>
                      <DateText date={item.published} /> <UnpublishedMark post={item} />
                    </>
                  ),
                },
              ]}
            />
          }
        />
        <Guide prose={item.body} />
      </article>
      <Section heading="Другие новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
        <NewsList items={others} level={3} />
      </Section>
      <Callout next={next} />
    </>
  ),
});

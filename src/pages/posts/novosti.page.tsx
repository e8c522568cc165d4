import { Callout, StepActions } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { DateText, SinceText } from '../../components/prose/date-text.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { Section } from '../../components/section.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import type { Content, NewsItem } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { type Force, forceOf } from './in-force.ts';
import { listPages } from './list-page.tsx';
import { CardList, PostCard } from './post-card.tsx';
import { postPage } from './post-page.tsx';

const share = { drawing: '/images/presets/request.svg' };

const lists = listPages({
  kind: 'news',
  share,
  summarise: summariseNews,
  Card: NewsCard,
});

type NewsSummary = Omit<NewsItem, 'body'> & { force: Force };

export function summariseNews(content: Content): (item: NewsItem) => NewsSummary {
  const force = forceOf(content);
  return ({ body: _, ...item }) => ({ ...item, force: force(item) });
}

const forceText: Readonly<Record<Force, string>> = { coming: 'скоро', current: 'действует', past: 'уже прошло' };

export function NewsCard({ item, level }: { item: NewsSummary; level: Level }) {
  const label = (
    <>
      <DateText date={item.published} /> · {forceText[item.force]}
    </>
  );
  return (
    <PostCard post={item} href={postPath('news', item)} level={level} label={label}>
      {level === 2 && <p>{item.description}</p>}
    </PostCard>
  );
}

const forceTerm: Readonly<Record<Force, string>> = {
  coming: 'Будет действовать',
  current: 'Действует',
  past: 'Уже прошло, действовало',
};

const post = postPage({
  kind: 'news',
  share,
  props: (content, item) => ({
    force: forceOf(content)(item),
    others: content.news
      .filter((one) => one !== item)
      .slice(0, 3)
      .map(summariseNews(content)),
  }),
  Body: ({ item, force, others, next }) => (
    <>
      <article>
        <PageHeading
          heading={item.heading}
          intro={item.description}
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
        >
          <StepActions next={next} />
        </PageHeading>
        <Guide prose={item.body} />
      </article>
      {others.length > 0 && (
        <Section variant="wide" heading="Другие новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
          <CardList>
            {others.map((one) => (
              <NewsCard key={one.slug} item={one} level={3} />
            ))}
          </CardList>
        </Section>
      )}
      <Callout next={next} />
    </>
  ),
});

export const newsPages = [...lists, post];

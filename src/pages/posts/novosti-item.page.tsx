import { Callout, StepActions } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { DateText, SinceText } from '../../components/prose/date-text.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import { type Force, forceOf } from './in-force.ts';
import { NewsCard, summariseNews } from './news-card.tsx';
import { CardList } from './post-card.tsx';
import { postPage } from './post-page.tsx';

const forceTerm: Readonly<Record<Force, string>> = {
  coming: 'Будет действовать',
  current: 'Действует',
  past: 'Уже прошло, действовало',
};

export const newsItem = postPage({
  name: 'novosti-item',
  kind: 'news',
  share: { drawing: '/images/presets/request.svg' },
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
        <Section look="wide" heading="Другие новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
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

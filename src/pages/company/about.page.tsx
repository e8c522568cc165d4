import { Callout, StepActions } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import { Section } from '../../components/section.tsx';
import { defineSection } from '../page.ts';
import { NewsCard, summariseNews } from '../posts/novosti.page.tsx';
import { CardList } from '../posts/post-card.tsx';
import { CompanyFacts } from './company-facts.tsx';
import { Figures } from './figures.tsx';
import { Milestones } from './milestones.tsx';

export const about = defineSection({
  name: 'about',
  path: '/about',
  share: { drawing: '/images/presets/cooperation.svg' },
  props: (content) => ({
    company: content.company,
    news: content.news.slice(0, 3).map(summariseNews(content)),
  }),
  head: () => ({ subject: 'company' }),
  dates: ({ text, news }) => [text.updated, ...news.map(({ published }) => published)],
  Body: ({ text, company, news, next }) => (
    <>
      <PageHeading heading={text.heading} intro={text.lead} label={text.figures && <Figures figures={text.figures} />}>
        <StepActions next={next} />
      </PageHeading>
      <Milestones milestones={text.milestones} />
      <Guide prose={text.body} />
      <Section variant="wide" heading="Реквизиты">
        <CompanyFacts company={company} />
      </Section>
      {news.length > 0 && (
        <Section variant="wide" heading="Новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
          <CardList>
            {news.map((item) => (
              <NewsCard key={item.slug} item={item} level={3} />
            ))}
          </CardList>
        </Section>
      )}
      <Callout next={next} />
    </>
  ),
});

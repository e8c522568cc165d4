import { Callout, StepActions } from '../design/callout.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Section } from '../design/section.tsx';
import { defineSection } from '../document/page.ts';
import { NewsCard, summariseNews } from '../posts/news-card.tsx';
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
  head: () => ({ about: 'company' }),
  dates: ({ text, news }) => [text.updated, ...news.map(({ published }) => published)],
  Body: ({ text, company, news, next }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} label={text.figures && <Figures figures={text.figures} />}>
        <StepActions next={next} />
      </PageHeading>
      <Milestones milestones={text.milestones} />
      <Guide prose={text.body} next={next} />
      <Section look="wide" heading="Реквизиты">
        <CompanyFacts company={company} />
      </Section>
      <Section look="wide" heading="Новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
        <CardList>
          {news.map((item) => (
            <NewsCard key={item.slug} item={item} level={3} />
          ))}
        </CardList>
      </Section>
      <Callout next={next} />
    </>
  ),
});

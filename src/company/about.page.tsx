import { Callout, nextStep } from '../design/callout.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Section } from '../design/section.tsx';
import { StepActions } from '../design/step-actions.tsx';
import { defineSection } from '../document/page.ts';
import { NewsList, summariseNews } from '../news/news-list.tsx';
import { CompanyFacts } from './company-facts.tsx';

/** About the company: figures with dates, legal details, latest news. */
export const about = defineSection({
  name: 'about',
  path: '/about',
  footer: 'О компании',
  share: { drawing: '/images/presets/cooperation.svg' },
  props: (content) => ({
    company: content.company,
    next: nextStep(content, 'cooperation'),
    news: content.news.slice(0, 3).map(summariseNews),
  }),
  head: () => ({ kind: 'AboutPage' }),
  dates: ({ text, news }) => [text.updated, ...news.map(({ published }) => published)],
  Body: ({ text, company, news, next }) => (
    <>
      <PageHeading
        heading={text.heading}
        lead={text.lead}
        label={
          text.figures && (
            <FactList
              facts={text.figures.map(({ text: term, value, at }) => ({
                term,
                value: (
                  <>
                    <strong>{value}</strong> <small>{at}</small>
                  </>
                ),
              }))}
            />
          )
        }
      >
        <StepActions next={next} />
      </PageHeading>
      <Guide prose={text.body} />
      <Section look="wide" heading="Реквизиты">
        <CompanyFacts company={company} />
      </Section>
      <Section heading="Новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
        <NewsList items={news} level={3} />
      </Section>
      <Callout heading="Поработаем вместе" ask="Расскажите о товаре и объёме" next={next} />
    </>
  ),
});

import { Callout, nextStep } from '../components/callout.tsx';
import { CompanyFacts } from '../components/company-facts.tsx';
import { FactList } from '../components/fact-list.tsx';
import { Guide } from '../components/guide.tsx';
import { NewsList, summariseNews } from '../components/news-list.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Section } from '../components/section.tsx';
import { StepActions } from '../components/step-actions.tsx';
import { definePage } from './page.ts';

const path = '/about';

/** About the company: figures with dates, legal details, latest news. */
export const about = definePage({
  name: 'about',
  props: (content) => ({
    text: content.pages.about,
    company: content.company,
    next: nextStep(content, 'cooperation'),
    news: content.news.slice(0, 3).map(summariseNews),
  }),
  head: ({ text }) => ({
    path,
    title: text.title,
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    kind: 'AboutPage',
  }),
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
      <Callout
        heading="Поработаем вместе"
        text="Расскажите о товаре и объёме: перезвоним в течение 10 минут в рабочее время."
        next={next}
      />
    </>
  ),
});

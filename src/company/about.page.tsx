import { Callout } from '../design/callout.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { Section } from '../design/section.tsx';
import { StepActions } from '../design/step-actions.tsx';
import { defineSection } from '../document/page.ts';
import { NewsList, summariseNews } from '../posts/news-list.tsx';
import { CompanyFacts } from './company-facts.tsx';
import { Timeline } from './timeline.tsx';
import './about.css';

/** The first two figures are large. */
const large = 2;

export const about = defineSection({
  name: 'about',
  path: '/about',
  share: { drawing: '/images/presets/cooperation.svg' },
  props: (content) => ({
    company: content.company,
    news: content.news.slice(0, 3).map(summariseNews(content)),
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
            <dl className="about-figures">
              {text.figures.slice(0, large).map(({ text: term, value, at }) => (
                <div key={term}>
                  <dt>
                    {term} <small>{at}</small>
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )
        }
      >
        <StepActions next={next} />
      </PageHeading>
      {text.figures && (
        <FactList
          facts={text.figures.slice(large).map(({ text: term, value, at }) => ({
            term,
            value: (
              <>
                <strong>{value}</strong> <small>{at}</small>
              </>
            ),
          }))}
        />
      )}
      {text.milestones && (
        <Section look="wide" heading="Как росли">
          <Timeline milestones={text.milestones} />
        </Section>
      )}
      <Guide prose={text.body} />
      <Section look="wide" heading="Реквизиты">
        <CompanyFacts company={company} />
      </Section>
      <Section heading="Новости" more={{ href: '/about/novosti', text: 'Все новости' }}>
        <NewsList items={news} level={3} />
      </Section>
      <Callout next={next} />
    </>
  ),
});

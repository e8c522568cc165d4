import { Callout, StepActions } from '../../components/callout.tsx';
import { HeroPicture } from '../../components/hero-picture.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { Guide } from '../../components/prose/guide.tsx';
import type { Level } from '../../components/prose/heading.tsx';
import { Section } from '../../components/section.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { UnpublishedMark } from '../../components/unpublished-mark.tsx';
import type { CaseStudy } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { ServiceList, summariseService } from '../services/service-list.tsx';
import { ChangeBars } from './change-bars.tsx';
import { listPages } from './list-page.tsx';
import { PostCard } from './post-card.tsx';
import { postPage } from './post-page.tsx';
import './case.css';

const share = { drawing: '/images/presets/cooperation.svg' };

const lists = listPages({
  kind: 'case',
  share,
  sampleIntro: 'Так мы покажем результат вашей партии. Имена и цифры придуманы.',
  summarise: () => summariseCase,
  Card: CaseCard,
});

type CaseSummary = Omit<CaseStudy, 'body'>;

function summariseCase({ body: _, ...item }: CaseStudy): CaseSummary {
  return item;
}

function CaseCard({ item, level }: { item: CaseSummary; level: Level }) {
  const [result] = item.results;
  const label = (
    <>
      {item.sample && <Stamp text="Образец" />} {item.niche} · {item.marketplaces.join(', ')}
    </>
  );
  return (
    <PostCard post={item} href={postPath('case', item)} level={level} label={label}>
      {result && (
        <div className="card-figure">
          <p>{result.metric}</p>
          <ChangeBars result={result} />
        </div>
      )}
    </PostCard>
  );
}

const post = postPage({
  kind: 'case',
  share,
  props: (content, item) => ({
    first: item.results[0],
    others: item.results.slice(1),
    services: content.services.filter(({ to }) => item.services.includes(to)).map(summariseService(content)),
  }),
  Body: ({ item, first, others, services, next }) => (
    <>
      <article>
        <PageHeading heading={item.heading} intro={item.task} label={<CaseFacts item={item} />}>
          {first && (
            <div className="case-result">
              <p>{first.metric}</p>
              <ChangeBars result={first} />
            </div>
          )}
          <StepActions next={next} />
        </PageHeading>
        <HeroPicture picture={item.picture} />
        <Section variant="wide" heading={others.length > 0 ? 'Что ещё стало лучше' : 'Как считали'}>
          <Results item={item} others={others} />
        </Section>
        <Guide prose={item.body} />
        <p className="case-limits">
          <b>Важно.</b> {item.limits}
        </p>
      </article>
      {services.length > 0 && (
        <Section variant="wide" heading="Услуги в этом кейсе">
          <ServiceList services={services} />
        </Section>
      )}
      <Callout next={next} />
    </>
  ),
});

export const casePages = [...lists, post];

function Results({ item, others }: { item: CaseStudy; others: CaseStudy['results'] }) {
  return (
    <div className="results">
      <ul>
        {others.map((result) => (
          <li key={result.metric}>
            <p>{result.metric}</p>
            <div>
              <ChangeBars result={result} />
            </div>
          </li>
        ))}
      </ul>
      <div>
        <h3>Как считали</h3>
        <p>
          {item.period}. {item.method}
        </p>
      </div>
    </div>
  );
}

function CaseFacts({ item }: { item: CaseStudy }) {
  return (
    <FactList
      facts={[
        { term: 'Ниша', value: item.niche },
        { term: 'Площадки', value: item.marketplaces.join(', ') },
        { term: 'Объём', value: item.volume, wide: true },
        { term: 'Было', value: item.start, wide: true },
        {
          term: 'Опубликовано',
          value: (
            <>
              <DateText date={item.published} /> {item.sample && <Stamp text="Образец" />}{' '}
              <UnpublishedMark post={item} />
            </>
          ),
          wide: true,
        },
      ]}
    />
  );
}

import { Callout, nextStep } from '../design/callout.tsx';
import { DateText } from '../design/date-text.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { HeroPicture, heroSizes } from '../design/hero-picture.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { SampleMark } from '../design/sample-mark.tsx';
import { Section } from '../design/section.tsx';
import { UnpublishedMark } from '../design/unpublished-mark.tsx';
import { definePage, wordedHead } from '../document/page.ts';
import { casePath } from '../model/addresses.ts';
import { wordsOf } from '../model/content.ts';
import { ServiceList, summariseService } from '../services/service-list.tsx';
import { Results } from './results.tsx';
import './case.css';

/** Slug and id are both valid addresses. */
export const caseStudy = definePage({
  name: 'case',
  path: '/cases/:id',
  share: { drawing: '/images/presets/cooperation.svg' },
  paths: (content) => content.cases.flatMap(({ id, slug }) => [{ id: slug }, { id: String(id) }]),
  props(content, { id }: { id: string }) {
    const item = content.cases.find((one) => one.slug === id || String(one.id) === id);
    if (!item) return undefined;
    const services = content.services.filter(({ to }) => item.services.includes(to));
    return {
      item,
      list: wordsOf(content, 'cases').heading,
      services: services.map(summariseService(content)),
      next: nextStep(content, item.callout ?? wordsOf(content, 'cases').callout),
    };
  },
  head: ({ item, list }) => ({
    ...wordedHead(casePath(item), item, [{ path: '/cases', text: list }]),
    article: true,
    noindex: item.unpublished !== undefined,
    hero: item.picture && { picture: item.picture, sizes: heroSizes },
    subjects: [{ type: 'Article', headline: item.heading, description: item.description, published: item.published }],
  }),
  dates: ({ item }) => [item.published],
  Body: ({ item, services, next }) => (
    <>
      <article>
        <PageHeading
          heading={item.heading}
          lead={item.task}
          label={
            <FactList
              facts={[
                { term: 'Ниша', value: item.niche },
                { term: 'Площадки', value: item.marketplaces.join(', ') },
                { term: 'Объём', value: item.volume, wide: true },
                { term: 'Было', value: item.start, wide: true },
              ]}
            />
          }
        >
          <p className="case-meta">
            <UnpublishedMark post={item} /> {item.sample && <SampleMark />} Опубликовано{' '}
            <DateText date={item.published} />
          </p>
        </PageHeading>
        <HeroPicture picture={item.picture} />
        <Section look="wide" heading="Было и стало">
          <Results results={item.results} period={item.period} method={item.method} />
        </Section>
        <Guide prose={item.body} />
        <p className="case-limits">
          <b>Важно.</b> {item.limits}
        </p>
      </article>
      {services.length > 0 && (
        <Section look="wide" heading="Услуги в этом кейсе">
          <ServiceList services={services} />
        </Section>
      )}
      <Callout next={next} />
    </>
  ),
});

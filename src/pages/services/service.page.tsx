import { Action, Actions, LinkButton } from '../../components/action.tsx';
import { Callout, nextStep } from '../../components/callout.tsx';
import { Offer, offerOf } from '../../components/offer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { BulletList } from '../../components/prose/bullet-list.tsx';
import { ContentsList } from '../../components/prose/contents-list.tsx';
import { FactList, type ListedFact } from '../../components/prose/fact-list.tsx';
import { ProseSections } from '../../components/prose/prose-sections.tsx';
import { QuestionList } from '../../components/prose/question-list.tsx';
import { Steps } from '../../components/prose/steps.tsx';
import { Section } from '../../components/section.tsx';
import { Summary } from '../../components/summary.tsx';
import { formatPrice } from '../../lib/format.ts';
import { pagePath, pageSize } from '../../lib/paginate.ts';
import type { Content, Preset, RateGroup, Service } from '../../model/content.ts';
import { type MainPrice, mainPricesOf } from '../../model/main-prices.ts';
import { postPath } from '../../model/post-kinds.ts';
import { inPreview } from '../../model/written-page.ts';
import { definePage } from '../page.ts';
import { PriceOfBatch } from './batch-price.tsx';
import { calculatorOf } from './calculator-links.ts';
import { DepartureTable, timetable } from './departure-table.tsx';
import { workedExample } from './example.ts';
import { PriceTable } from './price-table.tsx';
import { ServiceList, summariseService } from './service-list.tsx';
import './service.css';

const parts = [
  { id: 'departures', text: 'Рейсы' },
  { id: 'prices', text: 'Цены' },
  { id: 'work', text: 'Как проходит работа' },
  { id: 'preparation', text: 'Как подготовить товар' },
  { id: 'limits', text: 'Ограничения' },
  { id: 'responsibility', text: 'За что отвечаем' },
  { id: 'questions', text: 'Вопросы' },
];

export const service = definePage({
  name: 'service',
  path: '/services/:slug',
  share: { label: 'Услуга' },
  paths: (content) => content.services.map(({ to }) => ({ slug: to.slice(to.lastIndexOf('/') + 1) })),
  props: serviceProps,
  head: ({ item }) => ({
    path: item.to,
    drawing: item.image,
    title: item.title,
    description: item.description,
    crumbs: [{ path: item.to, text: item.text }],
    noindex: item.unpublished !== undefined,
  }),
  dates: ({ item, effective }) => [item.updated, effective],
  Body: ServiceBody,
});

type ServiceProps = NonNullable<ReturnType<typeof serviceProps>>;

function serviceProps(content: Content, { slug }: { slug: string }) {
  const item = content.services.find(({ to }) => to === `/services/${slug}`);
  if (!item) return undefined;
  const related = item.related.flatMap((to) => content.services.find((one) => one.to === to) ?? []);
  const groups = item.rates.flatMap((id) => content.rates.groups.find((group) => group.id === id) ?? []);
  return {
    item,
    prices: mainPricesOf(content, item.rates[0]),
    example: item.example ? workedExample(content) : undefined,
    groups,
    calculator: calculatorOf(content.calculator, groups),
    vat: content.rates.vat,
    departures: timetable(content, { service: item.to }),
    effective: content.rates.effective,
    related: related.map(summariseService(content)),
    phone: content.company.tollFree,
    offer: offerOf(content, item.to),
    proof: proofOf(content, item.to),
    preset: content.presets.find(({ slug }) => slug === item.preset),
    next: nextStep(content, item.callout ?? content.home.callout),
  };
}

function ServiceBody(props: ServiceProps) {
  const { item, groups, calculator, vat, departures, related, proof, preset, next } = props;
  return (
    <>
      <ServiceHeading {...props} />
      <ContentsList
        inline
        label="На этой странице"
        headings={parts.filter(({ id }) => id !== 'departures' || departures)}
      />
      {departures && (
        <Section look="wide" id="departures" heading="Ближайшие рейсы">
          <DepartureTable timetable={departures} />
        </Section>
      )}
      <Scope item={item} />
      <Prices groups={groups} vat={vat} calculator={calculator} preset={preset} />
      <Work item={item} />
      <OrderBetween preset={preset} />
      <ProseSections parts={item.body.parts} />
      <OrderBetween preset={preset} />
      <Section fold look="wide" id="questions" heading="Популярные вопросы">
        <QuestionList questions={item.questions} />
        <p>
          <a href="/questions">Все вопросы</a>
        </p>
      </Section>
      <Proof proof={proof} />
      {related.length > 0 && (
        <Section look="wide" heading="Вместе с этой услугой заказывают">
          <ServiceList services={related} />
        </Section>
      )}
      <Callout next={next} />
    </>
  );
}

function ServiceHeading({ item, prices, example, phone, preset, offer }: ServiceProps) {
  return (
    <PageHeading
      heading={inPreview(item, item.heading)}
      intro={item.subheading}
      drawing={<Drawing image={item.image} />}
      label={<FactList facts={orderFacts(item)} />}
    >
      {prices.length > 0 && <FactList facts={priceFacts(prices, example)} />}
      <Actions phone={phone}>{preset && <Action preset={preset} />}</Actions>
      <Offer offer={offer} />
    </PageHeading>
  );
}

function priceFacts(prices: readonly MainPrice[], example: ReturnType<typeof workedExample>): ListedFact[] {
  const perUnit = example?.calculation.perUnit;
  const facts: ListedFact[] = prices.map((price) => ({
    term: price.text,
    value: <PriceOfBatch price={price} />,
    main: true,
  }));
  if (example === undefined || perUnit === undefined) return facts;
  const value = <a href={example.href}>{formatPrice(perUnit)} за&nbsp;единицу</a>;
  return [...facts, { term: 'Пример целиком', value, wide: true }];
}

function orderFacts({ term, minimum }: Service): ListedFact[] {
  return [
    { term: 'Срок', value: term, wide: true },
    { term: 'Минимум', value: minimum, wide: true },
  ];
}

function Scope({ item }: { item: Service }) {
  return (
    <div className="service-scope">
      <Section fold look="wide" heading="Кому подходит">
        <BulletList items={item.audience} />
      </Section>
      <Section fold look="wide" heading="Что входит">
        <BulletList items={item.included} checked />
      </Section>
      <Section fold look="wide" heading="Что не входит">
        <BulletList items={item.excluded} />
      </Section>
    </div>
  );
}

/** A longer list folds on phones, whose first screen has the main prices. */
const maxRowsUnfolded = 8;

type PricesProps = {
  groups: readonly RateGroup[];
  vat: string;
  calculator: string | undefined;
  preset: Preset | undefined;
};

/** The first group is the service's own. */
function Prices({ groups: [own, ...others], vat, calculator, preset }: PricesProps) {
  const folded = (own?.rows.length ?? 0) > maxRowsUnfolded;
  const calculate = calculator !== undefined && <LinkButton quiet href={calculator} text="Посчитать партию" />;
  return (
    <>
      <Section look="wide" id="prices" heading="Цены" fold={folded}>
        {!folded && calculate && <div>{calculate}</div>}
        {own && <PriceTable group={own} vat={vat} />}
        {others.length > 0 && (
          <div className="questions">
            {others.map((group) => (
              <details key={group.id}>
                <Summary>{group.title}: цены</Summary>
                <PriceTable group={group} />
              </details>
            ))}
          </div>
        )}
      </Section>
      <p className="actions">
        {folded && calculate ? calculate : preset && <Action preset={preset} />}
        {own && <a href={`/rates#${own.id}`}>Все тарифы</a>}
      </p>
    </>
  );
}

function OrderBetween({ preset }: { preset: Preset | undefined }) {
  return (
    preset && (
      <p className="actions actions-between">
        <Action preset={preset} />
      </p>
    )
  );
}

function Work({ item }: { item: Service }) {
  return (
    <>
      <Section fold look="wide" id="work" heading="Как проходит работа">
        <Steps steps={item.steps} />
      </Section>
      <div className="service-scope">
        <Section fold look="wide" id="preparation" heading="Как подготовить товар">
          <BulletList items={item.preparation} />
        </Section>
        <Section fold look="wide" id="limits" heading="Ограничения">
          <BulletList items={item.limits} />
        </Section>
      </div>
      <Section fold look="wide" id="responsibility" heading="За что отвечаем">
        <p className="service-responsibility">{item.responsibility}</p>
      </Section>
    </>
  );
}

function Proof({ proof }: { proof: ReturnType<typeof proofOf> }) {
  if (proof.length === 0) return null;
  return (
    <Section fold look="wide" heading="Кейсы и отзывы">
      <ul className="service-proof">
        {proof.map(({ to, text, about }) => (
          <li key={to}>
            <a href={to}>{text}</a> <span>{about}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function proofOf({ cases, reviews }: Content, to: string) {
  return [
    ...cases
      .filter(({ services }) => services.includes(to))
      .slice(0, 2)
      .map((item) => ({
        to: postPath('case', item),
        text: item.heading,
        about: `Кейс, ${item.marketplaces.join(', ')}`,
      })),
    ...reviews
      .filter(({ service }) => service === to)
      .slice(0, 1)
      .map((review) => ({
        to: reviewAddress(reviews, review),
        text: `${review.author}: отзыв`,
        about: review.role,
      })),
  ];
}

/** On the page of its category that has it. */
function reviewAddress(reviews: Content['reviews'], { category, slug }: Content['reviews'][number]): string {
  const listed = reviews.filter((review) => review.category === category);
  const index = listed.findIndex((review) => review.slug === slug);
  return `${pagePath(`/reviews/${category}`, Math.floor(index / pageSize) + 1)}#${slug}`;
}

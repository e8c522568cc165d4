import { Action, Actions, LinkButton, presetAction } from '../../components/action.tsx';
import { Callout, nextStep } from '../../components/callout.tsx';
import { Offer, offerOf } from '../../components/offer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { BulletList } from '../../components/prose/bullet-list.tsx';
import { FactList, type ListedFact } from '../../components/prose/fact-list.tsx';
import { ProseSections } from '../../components/prose/prose-sections.tsx';
import { QuestionList } from '../../components/prose/question-list.tsx';
import { Steps } from '../../components/prose/steps.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount, formatPrice } from '../../lib/format.ts';
import { pagePath, pageSize } from '../../lib/paginate.ts';
import { type Content, callPhone, hasPage, type Service } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { inPreview } from '../../model/written-page.ts';
import { type MainPrice, mainPricesOf } from '../../pricing/main-prices.ts';
import { definePage } from '../page.ts';
import { PriceOfBatch } from './batch-price.tsx';
import { calculatorOf, countText } from './calculator-links.ts';
import { DepartureTable, timetable } from './departure-table.tsx';
import { PriceTable } from './price-table.tsx';
import { ServiceList, summariseService } from './service-list.tsx';
import './service.css';

export const service = definePage({
  name: 'service',
  path: '/services/:slug',
  share: { label: 'Услуга' },
  paths: (content) => content.services.map(({ to }) => ({ slug: to.slice(to.lastIndexOf('/') + 1) })),
  props: serviceProps,
  head: ({ item, preset }) => ({
    path: item.to,
    action: preset && presetAction(preset),
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
    groups,
    calculator: hasPage(content, 'calc') ? calculatorOf(content, groups) : undefined,
    priceList: hasPage(content, 'rates'),
    allQuestions: hasPage(content, 'questions'),
    vat: content.rates.vat,
    departures: timetable(content, { service: item.to }),
    effective: content.rates.effective,
    related: related.map(summariseService(content)),
    phone: callPhone(content.company),
    offer: offerOf(content, item.to),
    proof: proofOf(content, item.to),
    preset: content.presets.find(({ slug }) => slug === item.preset),
    next: nextStep(content, item.callout ?? content.home.callout),
  };
}

function ServiceBody(props: ServiceProps) {
  const { item, departures, related, proof, allQuestions, next } = props;
  return (
    <>
      <ServiceHeading {...props} />
      {departures && (
        <Section variant="wide" id="departures" heading="Ближайшие рейсы">
          <DepartureTable timetable={departures} />
        </Section>
      )}
      <Prices {...props} />
      <Section variant="wide" id="responsibility" heading="За что отвечаем">
        <p className="service-responsibility">{item.responsibility}</p>
      </Section>
      <div className="service-folds">
        <Scope item={item} />
        <Work item={item} />
        <Preparation item={item} />
        <Details item={item} allQuestions={allQuestions} />
      </div>
      <Proof proof={proof} />
      {related.length > 0 && (
        <Section variant="wide" heading="Вместе с этой услугой заказывают">
          <ServiceList services={related} />
        </Section>
      )}
      <Callout next={next} />
    </>
  );
}

function ServiceHeading({ item, prices, phone, preset, offer }: ServiceProps) {
  return (
    <PageHeading
      heading={inPreview(item, item.heading)}
      intro={item.subheading}
      drawing={<Drawing image={item.image} />}
      label={
        <div>
          <FactList facts={[...prices.map(priceFact), ...orderFacts(item)]} />
          <Actions phone={phone}>{preset && <Action preset={preset} />}</Actions>
          <Offer offer={offer} />
        </div>
      }
    />
  );
}

function priceFact(price: MainPrice): ListedFact {
  const { text, lowest } = price;
  const value = (
    <>
      <PriceOfBatch price={price} />
      {lowest && (
        <small className="facts-more">
          {formatPrice(lowest.price)} от&nbsp;{formatCount(lowest.from)}
        </small>
      )}
    </>
  );
  return { term: text, value, main: true };
}

function orderFacts({ term, minimum }: Service): ListedFact[] {
  return [
    { term: 'Срок', value: term, wide: true },
    { term: 'Минимум', value: minimum, wide: true },
  ];
}

/** The first group is the service's own; the price list has the others. */
function Prices({ groups: [first, ...others], vat, calculator, priceList }: ServiceProps) {
  return (
    first && (
      <Section variant="wide" id="prices" heading="Цены">
        <PriceTable group={first} vat={vat} />
        <p className="actions">
          {calculator !== undefined && <LinkButton quiet href={calculator} text={countText} />}
          {priceList &&
            others.map(({ id, title }) => (
              <a key={id} href={`/rates#${id}`}>
                {title}: цены
              </a>
            ))}
          {priceList && <a href={`/rates#${first.id}`}>Все тарифы</a>}
        </p>
      </Section>
    )
  );
}

function Scope({ item }: { item: Service }) {
  return (
    <Section fold variant="wide" heading="Что входит и что нет">
      <div className="service-columns">
        <List heading="Что входит" items={item.included} checked />
        <List heading="Что не входит" items={item.excluded} />
        <List heading="Кому подходит" items={item.audience} />
      </div>
    </Section>
  );
}

function Work({ item }: { item: Service }) {
  return (
    <Section fold variant="wide" id="work" heading="Как это проходит и сколько дней">
      <Steps steps={item.steps} />
    </Section>
  );
}

function Preparation({ item }: { item: Service }) {
  return (
    <Section fold variant="wide" id="preparation" heading="Как подготовить и чего не берём">
      <div className="service-columns">
        <List heading="Как подготовить товар" items={item.preparation} />
        <List heading="Ограничения" items={item.limits} />
      </div>
    </Section>
  );
}

function List({ heading, items, checked }: { heading: string; items: readonly string[]; checked?: boolean }) {
  return (
    <div>
      <h3>{heading}</h3>
      <BulletList items={items} checked={checked} />
    </div>
  );
}

function Details({ item, allQuestions }: Pick<ServiceProps, 'item' | 'allQuestions'>) {
  return (
    <Section fold variant="wide" id="questions" heading="Подробности и вопросы">
      <ProseSections nested parts={item.body.parts} />
      <Section nested heading="Популярные вопросы">
        <QuestionList questions={item.questions} />
        {allQuestions && (
          <p>
            <a href="/questions">Все вопросы</a>
          </p>
        )}
      </Section>
    </Section>
  );
}

function Proof({ proof }: { proof: ReturnType<typeof proofOf> }) {
  if (proof.length === 0) return null;
  return (
    <Section variant="wide" heading="Кейсы и отзывы">
      <ul className="service-proof">
        {proof.map(({ to, text, detail }) => (
          <li key={to}>
            <a href={to}>{text}</a> <span>{detail}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Samples prove nothing. */
function proofOf({ cases, reviews }: Content, to: string) {
  return [
    ...cases
      .filter(({ services, sample }) => !sample && services.includes(to))
      .slice(0, 2)
      .map((item) => ({
        to: postPath('case', item),
        text: item.heading,
        detail: `Кейс, ${item.marketplaces.join(', ')}`,
      })),
    ...reviews
      .filter(({ service, sample }) => !sample && service === to)
      .slice(0, 1)
      .map((review) => ({
        to: reviewAddress(reviews, review),
        text: `${review.author}: отзыв`,
        detail: review.role,
      })),
  ];
}

/** A category has several pages, and one of them has the review. */
function reviewAddress(reviews: Content['reviews'], { category, slug }: Content['reviews'][number]): string {
  const listed = reviews.filter((review) => review.category === category);
  const index = listed.findIndex((review) => review.slug === slug);
  return `${pagePath(`/reviews/${category}`, Math.floor(index / pageSize) + 1)}#${slug}`;
}

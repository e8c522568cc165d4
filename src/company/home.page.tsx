import { Fragment } from 'react';
import { Actions, LinkButton } from '../design/action.tsx';
import { Callout, nextStep } from '../design/callout.tsx';
import { DateText } from '../design/date-text.tsx';
import { type Fact, FactList } from '../design/fact-list.tsx';
import { formatCount, formatDay, onDay } from '../design/format.ts';
import { Offer, offerOf } from '../design/offer.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { ProseBlock } from '../design/prose-block.tsx';
import { QuestionList } from '../design/question-list.tsx';
import { Section } from '../design/section.tsx';
import { definePage } from '../document/page.ts';
import { type Content, wordsOf } from '../model/content.ts';
import { CaseCard, summariseCase } from '../posts/case-card.tsx';
import { CardList } from '../posts/post-card.tsx';
import { ReviewCard, type ReviewSummary, summariseReview } from '../posts/review-card.tsx';
import { billOf } from '../services/bill.ts';
import { BillTotal, FoldedBill } from '../services/calculation-table.tsx';
import { DepartureTable, timetable } from '../services/departure-table.tsx';
import { workedExample } from '../services/example.ts';
import { calculatorPath } from '../services/order.ts';
import { PriceFrom } from '../services/price-from.tsx';
import { leadPricesOf, ServiceList, type ServiceSummary, summariseService } from '../services/service-list.tsx';
import { termOf } from '../services/term.ts';
import { Way } from './way.tsx';
import './home.css';

export const home = definePage({
  name: 'home',
  path: '/',
  share: { drawing: '/images/presets/request.svg' },
  props: (content) => ({
    text: content.home,
    way: content.home.way.map((scene) => ({ ...scene, stations: scene.stations.map(pricedStation(content)) })),
    example: exampleOf(content),
    effective: content.rates.effective,
    departures: timetable(content, { most: 4 }),
    carriers: content.services
      .filter(({ to }) => content.departures.some(({ service }) => service === to))
      .map(({ to, text }) => ({ to, text })),
    services: [...content.services.map(summariseService(content)), cargoSummary(content)],
    cases: content.cases.slice(0, 2).map(summariseCase),
    reviews: content.reviews.slice(0, 1).map(summariseReview(content)).map(beginningOf),
    questions: firstOfEachTopic(content).slice(0, 3),
    company: content.company,
    offer: offerOf(content),
    next: nextStep(content, content.home.callout),
  }),
  head: ({ text }) => ({
    path: '/',
    title: text.title,
    description: text.description,
    crumbs: [],
    about: 'site',
  }),
  dates: ({ text, effective }, content) => [
    text.updated,
    effective,
    ...[...content.cases, ...content.reviews].map(({ published }) => published),
  ],
  Body: ({
    text,
    way,
    example,
    effective,
    departures,
    carriers,
    services,
    cases,
    reviews,
    questions,
    company,
    offer,
    next,
  }) => (
    <>
      <div className="hero">
        <div className="hero-offer">
          <PageHeading heading={text.heading} lead={text.lead}>
            {example && <FactList facts={heroFacts(example)} />}
            <Actions phone={company.tollFree}>
              <LinkButton href={calculatorPath('')} text="Посчитать партию" />
            </Actions>
            <Offer offer={offer} />
          </PageHeading>
        </div>
        {example && (
          <div className="hero-bill">
            <BillTotal bill={{ ...example.bill, term: undefined }} />
            <FoldedBill bill={example.bill} caption={`Пример: ${example.bill.order}`} />
            <p>
              Цены с <DateText date={effective} />, с НДС.
            </p>
          </div>
        )}
      </div>
      <Section reveal look="wide" heading="Как мы работаем">
        <Way
          scenes={way.map(({ image, alt, stations }) => ({
            image,
            alt,
            stations: stations.map(({ price, time, ...station }) => ({
              ...station,
              figure: price ? <PriceFrom price={price} /> : time,
            })),
          }))}
        />
      </Section>
      {departures && (
        <Section look="wide" id="departures" heading="Ближайшие рейсы">
          <DepartureTable timetable={departures} />
          <p className="home-departures">
            Все рейсы:{' '}
            {carriers.map(({ to, text }, index) => (
              <Fragment key={to}>
                {index > 0 && ', '}
                <a href={`${to}#departures`}>{text.toLowerCase()}</a>
              </Fragment>
            ))}
          </p>
        </Section>
      )}
      <Section reveal look="wide" heading="Услуги и цены" more={{ href: '/rates', text: 'Все тарифы' }}>
        <ServiceList services={services} />
      </Section>
      <Section reveal look="wide" heading="Кейсы" more={{ href: '/cases', text: 'Все кейсы' }}>
        <CardList>
          {cases.map((item) => (
            <CaseCard key={item.slug} item={item} level={3} />
          ))}
        </CardList>
      </Section>
      <Section reveal heading="Отзывы" more={{ href: '/reviews', text: 'Все отзывы' }}>
        <CardList>
          {reviews.map((item) => (
            <ReviewCard key={item.slug} item={item} level={3} />
          ))}
        </CardList>
      </Section>
      <Section reveal heading="Частые вопросы" more={{ href: '/questions', text: 'Все вопросы' }}>
        <QuestionList
          questions={questions.map(({ question, answer }) => ({ question, answer: <ProseBlock prose={answer} /> }))}
        />
      </Section>
      <Callout next={next} />
    </>
  ),
});

function heroFacts({ bill, href, units, term }: Example): Fact[] {
  const facts: Fact[] = [];
  if (bill.perUnit !== undefined) {
    const value = (
      <>
        <a href={href}>{bill.perUnit}</a> <small>партия {formatCount(units)}&nbsp;шт.</small>
      </>
    );
    facts.push({ term: 'Цена за единицу', value, main: true });
  }
  if (term) {
    const value = (
      <>
        <a href="#departures">
          <time dateTime={term.delivered}>{formatDay(term.delivered)}</time>
        </a>{' '}
        <small>привезёте {onDay(term.brought)}</small>
      </>
    );
    facts.push({ term: `На складе ${term.departure.warehouse} до`, value, main: true });
  }
  return facts;
}

function pricedStation({ rates }: Content) {
  const rows = rates.groups.flatMap((group) => group.rows);
  return ({ rate, ...station }: Content['home']['way'][number]['stations'][number]) => {
    const row = rows.find(({ id }) => id === rate);
    const from = row && Math.min(...row.tiers.map(({ price }) => price));
    return { ...station, ...(row && from !== undefined && { price: { unit: row.unit, from } }) };
  };
}

/** Only the first paragraph, to keep the page short. */
function beginningOf({ reply: _, ...review }: ReviewSummary): ReviewSummary {
  const end = review.body.html.indexOf('</p>') + '</p>'.length;
  return { ...review, body: { html: review.body.html.slice(0, end) } };
}

type Example = NonNullable<ReturnType<typeof exampleOf>>;

function exampleOf(content: Content) {
  const example = workedExample(content);
  if (!example) return undefined;
  const { order } = example.calculation;
  return {
    bill: billOf(content, example.calculation),
    href: example.href,
    units: order.units,
    term: termOf(content, order),
  };
}

/** Cargo is not a service page, but visitors look for it here. */
function cargoSummary(content: Content): ServiceSummary {
  const to = '/cargo';
  const { heading, image } = wordsOf(content, 'cargo');
  const text = content.navigation.header.find((entry) => entry.to === to)?.text ?? heading;
  return { to, text, subheading: heading, image, prices: leadPricesOf(content, 'cargo') };
}

function firstOfEachTopic({ questions }: Content) {
  return questions.filter(({ topic }, index) => questions.findIndex((one) => one.topic === topic) === index);
}

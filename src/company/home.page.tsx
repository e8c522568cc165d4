import { calculate } from '../calculator/calculation.ts';
import { CalculationTable } from '../calculator/calculation-table.tsx';
import { orderSummary } from '../calculator/calculation-words.ts';
import { calculatorPath, orderQuery, readOrder } from '../calculator/order.ts';
import { CaseCard, summariseCase } from '../cases/case-card.tsx';
import { DepartureTable, timetable } from '../departures/departure-table.tsx';
import { LinkButton } from '../design/action.tsx';
import { Callout, nextStep } from '../design/callout.tsx';
import { CardList } from '../design/card-list.tsx';
import { DateText } from '../design/date-text.tsx';
import { HeadingActions, PageHeading } from '../design/page-heading.tsx';
import { Drawing } from '../design/picture.tsx';
import { ProseBlock } from '../design/prose-block.tsx';
import { QuestionList } from '../design/question-list.tsx';
import { Section } from '../design/section.tsx';
import { Steps } from '../design/steps.tsx';
import { definePage } from '../document/page.ts';
import { type Content, wordsOf } from '../model/content.ts';
import { callWithin } from '../model/working-hours.ts';
import { ReviewCard, type ReviewSummary, summariseReview } from '../reviews/review-card.tsx';
import { lowestPrice, ServiceList, type ServiceSummary, summariseService } from '../services/service-list.tsx';
import './home.css';

/** Presets whose drawings go with the three points: a price, a date, a person. */
const pointDrawings = ['price', 'request', 'consultation'];

/** The home page: the offer with a worked price, services, how we work, proof, questions, contacts. */
export const home = definePage({
  name: 'home',
  path: '/',
  share: { drawing: '/images/presets/request.svg' },
  props: (content) => ({
    text: content.home,
    points: content.home.points.map((point, index) => ({
      ...point,
      image: content.presets.find(({ slug }) => slug === pointDrawings[index])?.image,
    })),
    example: exampleOf(content),
    effective: content.rates.effective,
    departures: timetable(content, { most: 6 }),
    services: [...content.services.map(summariseService(content)), cargoSummary(content)],
    cases: content.cases.slice(0, 3).map(summariseCase),
    reviews: content.reviews.slice(0, 2).map(summariseReview(content)).map(beginningOf),
    questions: firstOfEachTopic(content).slice(0, 4),
    company: content.company,
    next: nextStep(content, 'consultation'),
  }),
  head: ({ text }) => ({
    path: '/',
    title: text.title,
    description: text.description,
    crumbs: [],
    subjects: [{ type: 'WebSite' }],
  }),
  dates: ({ text, effective }, content) => [
    text.updated,
    effective,
    ...[...content.cases, ...content.reviews].map(({ published }) => published),
  ],
  Body: ({ text, points, example, effective, departures, services, cases, reviews, questions, company, next }) => (
    <>
      <div className="hero">
        <div className="hero-offer">
          <PageHeading heading={text.heading} lead={text.lead}>
            <HeadingActions phone={company.tollFree}>
              <LinkButton href={calculatorPath('')} text="Посчитать стоимость" />
              <LinkButton quiet href="/contact?preset=calculation" text="Заказать расчёт" />
            </HeadingActions>
          </PageHeading>
        </div>
        {example && (
          <div className="hero-bill">
            <CalculationTable
              words={example.words}
              calculation={example.calculation}
              caption={`Пример: ${example.summary}`}
            />
            <p>
              Цены с <DateText date={effective} />, с НДС. <a href={calculatorPath(example.query)}>Посчитать своё</a>
            </p>
          </div>
        )}
      </div>
      <ul className="points">
        {points.map((point) => (
          <li key={point.title}>
            <Drawing image={point.image} />
            <h2>{point.title}</h2>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
      {departures && (
        <Section look="wide" id="departures" heading="Ближайшие рейсы на склады">
          <DepartureTable timetable={departures} />
          <ul className="home-departures">
            <li>
              <a href="/services/marketplace-delivery#departures">Все рейсы по Московскому региону</a>
            </li>
            <li>
              <a href="/services/region-delivery#departures">Все рейсы в регионы</a>
            </li>
          </ul>
        </Section>
      )}
      <Section reveal look="wide" heading="Услуги и цены" more={{ href: '/rates', text: 'Все тарифы' }}>
        <ServiceList services={services} />
      </Section>
      <Section reveal look="band" heading="Как мы работаем">
        <Steps steps={text.steps} />
      </Section>
      <Section reveal look="wide" heading="Кейсы с цифрами" more={{ href: '/cases', text: 'Все кейсы' }}>
        <CardList>
          {cases.map((item) => (
            <CaseCard key={item.slug} item={item} level={3} />
          ))}
        </CardList>
      </Section>
      <Section reveal look="wide" heading="Отзывы" more={{ href: '/reviews', text: 'Все отзывы' }}>
        <ul className="home-reviews">
          {reviews.map((item) => (
            <ReviewCard key={item.slug} item={item} level={3} />
          ))}
        </ul>
      </Section>
      <Section reveal heading="Вопросы" more={{ href: '/questions', text: 'Все вопросы' }}>
        <QuestionList
          questions={questions.map(({ question, answer }) => ({ question, answer: <ProseBlock prose={answer} /> }))}
        />
      </Section>
      <Callout
        heading="Поговорить с человеком"
        text={`Перезвоним ${callWithin} в рабочее время: ${company.workingHours.text}.`}
        next={next}
      />
    </>
  ),
});

/** The first paragraph of a review: who wants more goes to all of them. */
function beginningOf({ reply: _, ...review }: ReviewSummary): ReviewSummary {
  const { html } = review.body;
  return { ...review, body: { ...review.body, html: html.slice(0, html.indexOf('</p>') + '</p>'.length) } };
}

/** The worked calculation of the first screen, and what it was made of. */
function exampleOf({ calculator, rates }: Content) {
  const { values, order } = readOrder(calculator, calculator.example);
  const calculation = order && calculate(rates, calculator, order);
  return (
    calculation && {
      words: { plurals: calculator.plurals },
      calculation,
      summary: orderSummary(calculator, calculation),
      query: orderQuery(values),
    }
  );
}

/** Cargo has a page of another kind, but visitors look for it among the services. */
function cargoSummary(content: Content): ServiceSummary {
  const to = '/cargo';
  const { heading, image } = wordsOf(content, 'cargo');
  const text = content.navigation.find((entry) => entry.to === to)?.text ?? heading;
  const price = lowestPrice(content, 'cargo');
  return { to, text, subheading: heading, image, ...(price && { price }) };
}

/** One question a topic, so that the few shown here cover the most. */
function firstOfEachTopic({ questions }: Content) {
  return questions.filter(({ topic }, index) => questions.findIndex((one) => one.topic === topic) === index);
}

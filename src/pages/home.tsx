import { Action, LinkButton } from '../components/action.tsx';
import { billFor, type Order } from '../components/bill.ts';
import { BillTable } from '../components/bill-table.tsx';
import { Callout, nextStep } from '../components/callout.tsx';
import { CardList } from '../components/card-list.tsx';
import { CaseCard, summariseCase } from '../components/case-card.tsx';
import { DateText } from '../components/date-text.tsx';
import { formatCount } from '../components/format.ts';
import { PageHeading } from '../components/page-heading.tsx';
import { PresetDrawing } from '../components/picture.tsx';
import { ProseBlock } from '../components/prose-block.tsx';
import { QuestionList } from '../components/question-list.tsx';
import { ReviewCard, summariseReview } from '../components/review-card.tsx';
import { Section } from '../components/section.tsx';
import { ServiceList, summariseService } from '../components/service-list.tsx';
import { Steps } from '../components/steps.tsx';
import type { Content } from '../site/content.ts';
import { definePage } from './page.ts';
import './home.css';

/** The batch that the first screen counts as an example. */
const units = 1000;
const order: readonly Order[] = [
  { rate: 'fulfillment-counting', count: units },
  { rate: 'package-bag', count: units },
  { rate: 'marking-barcode', count: units },
  { rate: 'fulfillment-fbo', count: units },
  { rate: 'package-box', count: 20 },
  { rate: 'koledino-box', count: 20 },
];

/** Presets whose drawings go with the three points: a price, a date, a person. */
const pointDrawings = ['price', 'request', 'consultation'];

/** The home page: the offer with a worked price, services, how we work, proof, questions, contacts. */
export const home = definePage({
  name: 'home',
  props: (content) => ({
    text: content.home,
    points: content.home.points.map((point, index) => ({
      ...point,
      image: content.presets.find(({ slug }) => slug === pointDrawings[index])?.image,
    })),
    bill: billFor(content.rates, order),
    effective: content.rates.effective,
    services: content.services.map(summariseService(content)),
    cases: content.cases.slice(0, 3).map(summariseCase),
    reviews: content.reviews.slice(0, 2).map(summariseReview(content)),
    questions: firstOfEachTopic(content).slice(0, 6),
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
  Body: ({ text, points, bill, effective, services, cases, reviews, questions, company, next }) => (
    <>
      <div className="hero">
        <div className="hero-offer">
          <PageHeading heading={text.heading} lead={text.lead} />
          <p className="hero-actions">
            <Action preset="calculation" text="Заказать расчёт" />
            <LinkButton quiet href="/rates" text="Все тарифы" />
          </p>
        </div>
        {bill && (
          <div className="hero-bill">
            <BillTable
              bill={bill}
              caption={`Пример: ${formatCount(units)} товаров до\u00A01\u00A0литра, 20\u00A0коробов в\u00A0Коледино`}
              units={units}
            />
            <p>
              По <a href="/rates">тарифам</a> с <DateText date={effective} />, с НДС
            </p>
          </div>
        )}
      </div>
      <ul className="points">
        {points.map((point) => (
          <li key={point.title}>
            <PresetDrawing image={point.image} />
            <h2>{point.title}</h2>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
      <Section reveal heading="Услуги и цены" more={{ href: '/rates', text: 'Все тарифы' }}>
        <ServiceList services={services} level={3} />
      </Section>
      <Section reveal heading="Как мы работаем">
        <Steps steps={text.steps} level={3} />
      </Section>
      <Section reveal heading="Кейсы с цифрами" more={{ href: '/cases', text: 'Все кейсы' }}>
        <CardList>
          {cases.map((item) => (
            <CaseCard key={item.slug} item={item} level={3} />
          ))}
        </CardList>
      </Section>
      <Section reveal heading="Отзывы" more={{ href: '/reviews', text: 'Все отзывы' }}>
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
        text={`Перезвоним в течение 10 минут в рабочее время: ${company.workingHours.text}.`}
        next={next}
      />
    </>
  ),
});

/** One question a topic, so that the few shown here cover the most. */
function firstOfEachTopic({ questions }: Content) {
  return questions.filter(({ topic }, index) => questions.findIndex((one) => one.topic === topic) === index);
}

import { Action, LinkButton } from '../components/action.tsx';
import { BulletList } from '../components/bullet-list.tsx';
import { Callout, nextStep } from '../components/callout.tsx';
import { ContentsList } from '../components/contents-list.tsx';
import { DepartureTable, timetable } from '../components/departure-table.tsx';
import { FactList } from '../components/fact-list.tsx';
import { Guide } from '../components/guide.tsx';
import { HeadingActions, PageHeading } from '../components/page-heading.tsx';
import { Drawing } from '../components/picture.tsx';
import { PriceTable } from '../components/price-table.tsx';
import { QuestionList } from '../components/question-list.tsx';
import { Section } from '../components/section.tsx';
import { PriceFrom, ServiceList, summariseService } from '../components/service-list.tsx';
import { Steps } from '../components/steps.tsx';
import { calculatorWith } from '../site/order.ts';
import { definePage } from './page.ts';
import './service.css';

/** The parts that visitors look for, in the order of the page; not every service has departures. */
const parts = [
  { id: 'departures', text: 'Рейсы' },
  { id: 'prices', text: 'Цены' },
  { id: 'work', text: 'Как проходит работа' },
  { id: 'preparation', text: 'Как подготовить товар' },
  { id: 'limits', text: 'Ограничения' },
  { id: 'responsibility', text: 'За что отвечаем' },
  { id: 'questions', text: 'Вопросы' },
];

/** One service, addressed by the last part of its path. */
export const service = definePage({
  name: 'service',
  paths: (content) => content.services.map(({ to }) => ({ slug: to.slice(to.lastIndexOf('/') + 1) })),
  props(content, { slug }: { slug: string }) {
    const item = content.services.find(({ to }) => to === `/services/${slug}`);
    if (!item) return undefined;
    const related = item.related.flatMap((to) => content.services.find((one) => one.to === to) ?? []);
    const groups = item.rates.flatMap((id) => content.rates.groups.find((group) => group.id === id) ?? []);
    const [ownPrices, ...otherPrices] = groups;
    const rows = groups.flatMap((group) => group.rows.map(({ id }) => id));
    return {
      item,
      price: summariseService(content)(item).price,
      ownPrices,
      otherPrices,
      calculator: calculatorWith(content.calculator, rows),
      vat: content.rates.vat,
      departures: timetable(content, { service: item.to }),
      effective: content.rates.effective,
      related: related.map(summariseService(content)),
      area: content.company.address.locality,
      phone: content.company.tollFree,
      order: nextStep(content, item.preset),
      next: nextStep(content, 'consultation'),
    };
  },
  head: ({ item, ownPrices, otherPrices, area }) => ({
    path: item.to,
    drawing: item.image,
    title: item.title,
    description: item.description,
    crumbs: [{ path: item.to, text: item.text }],
    subjects: [
      {
        type: 'Service',
        name: item.heading,
        description: item.description,
        areaServed: area,
        groups: [...(ownPrices ? [ownPrices] : []), ...otherPrices],
      },
    ],
  }),
  dates: ({ item, effective }) => [item.updated, effective],
  Body: ({ item, price, ownPrices, otherPrices, calculator, vat, departures, related, phone, order, next }) => (
    <>
      <PageHeading
        heading={item.heading}
        lead={item.subheading}
        label={
          <FactList
            facts={[
              ...(price
                ? [
                    {
                      term: price.text,
                      value: <PriceFrom price={price} />,
                      main: true,
                      drawing: <Drawing image={item.image} eager />,
                    },
                  ]
                : []),
              { term: 'Срок', value: item.term, wide: true },
              { term: 'Минимум', value: item.minimum, wide: true },
            ]}
          />
        }
      >
        <HeadingActions phone={phone}>{order && <Action preset={order.preset} text={order.button} />}</HeadingActions>
      </PageHeading>
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
      <div className="service-scope">
        <Section look="wide" heading="Кому подходит">
          <BulletList items={item.audience} />
        </Section>
        <Section look="wide" heading="Что входит">
          <BulletList items={item.included} kind="yes" />
        </Section>
        <Section look="wide" heading="Что не входит">
          <BulletList items={item.excluded} kind="no" />
        </Section>
      </div>
      <Section look="wide" id="prices" heading="Цены" more={{ href: '/rates', text: 'Все тарифы' }}>
        {ownPrices && <PriceTable group={ownPrices} vat={vat} titled={false} />}
        {otherPrices.length > 0 && (
          <div className="questions">
            {otherPrices.map((group) => (
              <details key={group.id}>
                <summary>{group.title}: цены</summary>
                <PriceTable group={group} vat={vat} titled={false} />
              </details>
            ))}
          </div>
        )}
        {calculator !== undefined && (
          <p>
            <LinkButton quiet href={calculator} text="Посчитать свою партию" />
          </p>
        )}
      </Section>
      <Section look="band" id="work" heading="Как проходит работа">
        <Steps steps={item.steps} level={3} />
      </Section>
      <div className="service-scope">
        <Section look="wide" id="preparation" heading="Как подготовить товар">
          <BulletList items={item.preparation} />
        </Section>
        <Section look="wide" id="limits" heading="Ограничения">
          <BulletList items={item.limits} kind="no" />
        </Section>
      </div>
      <Section look="wide" id="responsibility" heading="За что отвечаем">
        <p className="service-responsibility">{item.responsibility}</p>
      </Section>
      <Guide prose={item.body} label="Подробно" />
      <Section id="questions" heading="Вопросы" more={{ href: '/questions', text: 'Все вопросы' }}>
        <QuestionList questions={item.questions} />
      </Section>
      <Section look="wide" heading="Рядом с этой услугой">
        <ServiceList services={related} level={3} />
      </Section>
      <Callout heading="Обсудим вашу поставку" text="Перезвоним в течение 10 минут в рабочее время." next={next} />
    </>
  ),
});

import { calculatorWith } from '../calculator/order.ts';
import { DepartureTable, timetable } from '../departures/departure-table.tsx';
import { Action, LinkButton } from '../design/action.tsx';
import { BulletList } from '../design/bullet-list.tsx';
import { Callout, nextStep } from '../design/callout.tsx';
import { ContentsList } from '../design/contents-list.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Guide } from '../design/guide.tsx';
import { HeadingActions, PageHeading } from '../design/page-heading.tsx';
import { Drawing } from '../design/picture.tsx';
import { QuestionList } from '../design/question-list.tsx';
import { Section } from '../design/section.tsx';
import { Steps } from '../design/steps.tsx';
import { definePage } from '../document/page.ts';
import { PriceTable } from '../rates/price-table.tsx';
import { PriceFrom, ServiceList, summariseService } from './service-list.tsx';
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
  path: '/services/:slug',
  share: { label: 'Услуга' },
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
        <Steps steps={item.steps} />
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
        <ServiceList services={related} />
      </Section>
      <Callout heading="Обсудим вашу поставку" next={next} />
    </>
  ),
});

import { Action } from '../components/action.tsx';
import { BulletList } from '../components/bullet-list.tsx';
import { Callout, nextStep } from '../components/callout.tsx';
import { FactList } from '../components/fact-list.tsx';
import { Guide } from '../components/guide.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PresetDrawing } from '../components/picture.tsx';
import { PriceTable } from '../components/price-table.tsx';
import { QuestionList } from '../components/question-list.tsx';
import { Section } from '../components/section.tsx';
import { PriceFrom, ServiceList, summariseService } from '../components/service-list.tsx';
import { Steps } from '../components/steps.tsx';
import { definePage } from './page.ts';
import './service.css';

/** One service, addressed by the last part of its path. */
export const service = definePage({
  name: 'service',
  paths: (content) => content.services.map(({ to }) => ({ slug: to.slice(to.lastIndexOf('/') + 1) })),
  props(content, { slug }: { slug: string }) {
    const item = content.services.find(({ to }) => to === `/services/${slug}`);
    if (!item) return undefined;
    const related = item.related.flatMap((to) => content.services.find((one) => one.to === to) ?? []);
    return {
      item,
      price: summariseService(content)(item).price,
      groups: item.rates.flatMap((id) => content.rates.groups.find((group) => group.id === id) ?? []),
      vat: content.rates.vat,
      effective: content.rates.effective,
      related: related.map(summariseService(content)),
      area: content.company.address.locality,
      order: nextStep(content, item.preset),
      next: nextStep(content, 'consultation'),
    };
  },
  head: ({ item, groups, area }) => ({
    path: item.to,
    title: item.title,
    description: item.description,
    crumbs: [{ path: item.to, text: item.text }],
    subjects: [
      {
        type: 'Service',
        name: item.heading,
        description: item.description,
        areaServed: area,
        groups,
      },
    ],
  }),
  dates: ({ item, effective }) => [item.updated, effective],
  Body: ({ item, price, groups, vat, related, order, next }) => (
    <>
      <PageHeading heading={item.heading} lead={item.subheading} drawing={<PresetDrawing image={order?.image} />} />
      {order && (
        <p className="service-action">
          <Action preset={order.preset} text={order.button} />
        </p>
      )}
      <FactList
        facts={[
          ...(price ? [{ term: price.text, value: <PriceFrom price={price} /> }] : []),
          { term: 'Срок', value: item.term, wide: true },
          { term: 'Минимум', value: item.minimum, wide: true },
        ]}
      />
      <Section heading="Кому подходит">
        <BulletList items={item.audience} />
      </Section>
      <div className="service-scope">
        <Section heading="Что входит">
          <BulletList items={item.included} kind="yes" />
        </Section>
        <Section heading="Что не входит">
          <BulletList items={item.excluded} kind="no" />
        </Section>
      </div>
      <Section id="prices" heading="Цены" more={{ href: '/rates', text: 'Все тарифы' }}>
        {groups.map((group) => (
          <PriceTable key={group.id} group={group} vat={vat} titled={groups.length > 1} />
        ))}
      </Section>
      <Section heading="Как проходит работа">
        <Steps steps={item.steps} level={3} />
      </Section>
      <Section heading="Как подготовить товар">
        <BulletList items={item.preparation} />
      </Section>
      <Guide prose={item.body} label="Подробно" />
      <Section heading="Ограничения">
        <BulletList items={item.limits} />
      </Section>
      <Section heading="За что отвечаем">
        <p>{item.responsibility}</p>
      </Section>
      <Section heading="Вопросы" more={{ href: '/questions', text: 'Все вопросы' }}>
        <QuestionList questions={item.questions} />
      </Section>
      <Section heading="Рядом с этой услугой">
        <ServiceList services={related} level={3} />
      </Section>
      <Callout heading="Обсудим вашу поставку" text="Перезвоним в течение 10 минут в рабочее время." next={next} />
    </>
  ),
});

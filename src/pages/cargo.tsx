import { Callout } from '../components/callout.tsx';
import { ContentsList } from '../components/contents-list.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PriceTable } from '../components/price-table.tsx';
import { ProseBlock } from '../components/prose-block.tsx';
import { Section } from '../components/section.tsx';
import { definePage } from './page.ts';

const path = '/cargo';

/** Cargo from abroad: prices by density first, then terms, insurance, forbidden goods and documents. */
export const cargo = definePage({
  name: 'cargo',
  props: (content) => ({
    text: content.pages.cargo,
    group: content.rates.groups.find(({ id }) => id === 'cargo'),
    vat: content.rates.vat,
    area: content.company.address.locality,
    phone: content.company.tollFree,
  }),
  head: ({ text, area }) => ({
    path,
    title: text.title,
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    subjects: [{ type: 'Service', name: text.heading, description: text.description, areaServed: area }],
  }),
  Body: ({ text, group, vat, phone }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} />
      <ContentsList headings={text.body.headings} />
      {group && (
        <Section id="prices" heading="Цены" more={{ href: `/rates#${group.id}`, text: 'Все тарифы' }}>
          <PriceTable group={group} vat={vat} />
        </Section>
      )}
      <ProseBlock prose={text.body} />
      <Callout
        heading="Узнайте цену вашей партии"
        text="Пришлите вес, объём и город поставщика: назовём плотность, строку тарифа и срок."
        preset="price"
        action="Узнать стоимость"
        phone={phone}
      />
    </>
  ),
});

import { Callout, nextStep } from '../components/callout.tsx';
import { Guide } from '../components/guide.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PresetDrawing } from '../components/picture.tsx';
import { PriceTable } from '../components/price-table.tsx';
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
    effective: content.rates.effective,
    area: content.company.address.locality,
    drawing: nextStep(content, 'request')?.image,
    next: nextStep(content, 'price'),
  }),
  head: ({ text, group, area }) => ({
    path,
    title: text.title,
    description: text.description,
    crumbs: [{ path, text: text.heading }],
    subjects: [
      {
        type: 'Service',
        name: text.heading,
        description: text.description,
        areaServed: area,
        groups: group ? [group] : [],
      },
    ],
  }),
  dates: ({ text, effective }) => [text.updated, effective],
  Body: ({ text, group, vat, drawing, next }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} drawing={<PresetDrawing image={drawing} />} />
      {group && (
        <Section id="prices" heading="Цены" more={{ href: `/rates#${group.id}`, text: 'Все тарифы' }}>
          <PriceTable group={group} vat={vat} titled={false} />
        </Section>
      )}
      <Guide prose={text.body} />
      <Callout
        heading="Узнайте цену вашей партии"
        text="Пришлите вес, объём и город поставщика: назовём плотность, строку тарифа и срок."
        next={next}
      />
    </>
  ),
});

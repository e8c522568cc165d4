import { Action } from '../components/action.tsx';
import { Callout, nextStep } from '../components/callout.tsx';
import { FactList } from '../components/fact-list.tsx';
import { Guide } from '../components/guide.tsx';
import { HeadingActions, PageHeading } from '../components/page-heading.tsx';
import { Drawing } from '../components/picture.tsx';
import { PriceTable } from '../components/price-table.tsx';
import { Section } from '../components/section.tsx';
import { lowestPrice, PriceFrom } from '../components/service-list.tsx';
import { definePage } from './page.ts';

const path = '/cargo';

/** Cargo from abroad: prices by density first, then terms, insurance, forbidden goods and documents. */
export const cargo = definePage({
  name: 'cargo',
  props: (content) => ({
    text: content.pages.cargo,
    price: lowestPrice(content, 'cargo'),
    group: content.rates.groups.find(({ id }) => id === 'cargo'),
    vat: content.rates.vat,
    effective: content.rates.effective,
    area: content.company.address.locality,
    phone: content.company.tollFree,
    next: nextStep(content, 'price'),
  }),
  head: ({ text, group, area }) => ({
    path,
    drawing: text.image,
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
  Body: ({ text, price, group, vat, phone, next }) => (
    <>
      <PageHeading
        heading={text.heading}
        lead={text.lead}
        label={
          price && (
            <FactList
              facts={[
                {
                  term: price.text,
                  value: <PriceFrom price={price} />,
                  main: true,
                  drawing: <Drawing image={text.image} eager />,
                },
              ]}
            />
          )
        }
      >
        <HeadingActions phone={phone}>{next && <Action preset={next.preset} text={next.button} />}</HeadingActions>
      </PageHeading>
      {group && (
        <Section look="wide" id="prices" heading="Цены" more={{ href: `/rates#${group.id}`, text: 'Все тарифы' }}>
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

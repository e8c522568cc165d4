import { Callout, StepActions } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { ProseSections } from '../../components/prose/prose-sections.tsx';
import { Section } from '../../components/section.tsx';
import { type Content, hasPage, pageText } from '../../model/content.ts';
import { densityFields, readDensity } from '../../pricing/density.ts';
import { mainPricesOf } from '../../pricing/main-prices.ts';
import { defineSection, type QueryValues } from '../page.ts';
import { PriceOfBatch } from '../services/batch-price.tsx';
import { DensityForm } from '../services/density-form.tsx';
import { PriceGrid } from '../services/price-grid.tsx';

const cargoAddress = '/cargo';

export const cargo = defineSection({
  name: 'cargo',
  path: cargoAddress,
  query: densityFields,
  props: cargoProps,
  head: ({ text, reading }) => ({
    drawing: text.image,
    title: reading && reading.errors.length > 0 ? `Ошибка: ${text.title}` : text.title,
  }),
  dates: ({ text, effective }) => [text.updated, effective],
  Body: ({ text, price, group, reading, all, vat, next }) => (
    <>
      <PageHeading heading={text.heading} intro={text.lead} drawing={<Drawing image={text.image} />}>
        {price && (
          <FactList
            facts={[
              { term: price.text, value: <PriceOfBatch price={price} />, main: true },
              ...(text.figures ?? []).map(({ text, value, at }) => ({ term: `${text}, ${at}`, value })),
            ]}
          />
        )}
        <StepActions next={next} />
      </PageHeading>
      {group && (
        <Section
          variant="wide"
          id="prices"
          heading="Цены"
          more={all ? { href: `/rates#${group.id}`, text: 'Все тарифы' } : undefined}
        >
          {reading && <DensityForm path={cargoAddress} reading={reading} />}
          <PriceGrid group={group} vat={vat} answer={reading?.answer} />
        </Section>
      )}
      <ProseSections parts={text.body.parts} />
      <Callout next={next} />
    </>
  ),
});

function cargoProps(content: Content, query: QueryValues) {
  const { prices } = pageText(content, 'cargo');
  const group = content.rates.groups.find(({ id }) => id === prices);
  return {
    price: mainPricesOf(content, prices)[0],
    group,
    reading: group && readDensity(group.rows, query),
    all: hasPage(content, 'rates'),
    vat: content.rates.vat,
    effective: content.rates.effective,
  };
}

import { Callout, StepActions } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Drawing } from '../../components/picture.tsx';
import { FactList } from '../../components/prose/fact-list.tsx';
import { ProseSections } from '../../components/prose/prose-sections.tsx';
import { Section } from '../../components/section.tsx';
import { hasPage } from '../../model/content.ts';
import { mainPricesOf } from '../../model/main-prices.ts';
import { defineSection } from '../page.ts';
import { PriceOfBatch } from '../services/batch-price.tsx';
import { PriceGrid } from '../services/price-grid.tsx';

export const cargo = defineSection({
  name: 'cargo',
  path: '/cargo',
  props: (content) => ({
    price: mainPricesOf(content, 'cargo')[0],
    group: content.rates.groups.find(({ id }) => id === 'cargo'),
    all: hasPage(content, 'rates'),
    vat: content.rates.vat,
    effective: content.rates.effective,
  }),
  head: ({ text }) => ({ drawing: text.image }),
  dates: ({ text, effective }) => [text.updated, effective],
  Body: ({ text, price, group, all, vat, next }) => (
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
          look="wide"
          id="prices"
          heading="Цены"
          more={all ? { href: `/rates#${group.id}`, text: 'Все тарифы' } : undefined}
        >
          <PriceGrid group={group} vat={vat} />
        </Section>
      )}
      <ProseSections parts={text.body.parts} />
      <Callout next={next} />
    </>
  ),
});

import { Callout } from '../components/callout.tsx';
import { ContentsList } from '../components/contents-list.tsx';
import { DateText } from '../components/date-text.tsx';
import { FactList } from '../components/fact-list.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { PriceTable } from '../components/price-table.tsx';
import { ProseBlock } from '../components/prose-block.tsx';
import { Section } from '../components/section.tsx';
import { definePage } from './page.ts';

const path = '/rates';

/** Every price, by group of services; prints as a price list. */
export const rates = definePage({
  name: 'rates',
  props: (content) => ({ text: content.pages.rates, rates: content.rates, phone: content.company.tollFree }),
  head: ({ text }) => ({
    path,
    title: text.title,
    description: text.description,
    crumbs: [{ path, text: text.heading }],
  }),
  Body: ({ text, rates, phone }) => (
    <>
      <PageHeading heading={text.heading} lead={text.lead} />
      <FactList
        facts={[
          {
            term: 'Действуют',
            value: (
              <>
                с <DateText date={rates.effective} />
              </>
            ),
          },
          { term: 'НДС', value: rates.vat },
          { term: 'Материалы', value: rates.materials },
        ]}
      />
      <ContentsList label="Услуги" headings={rates.groups.map(({ id, title }) => ({ id, text: title }))} />
      {rates.groups.map((group) => (
        <Section key={group.id} id={group.id} heading={group.title}>
          <PriceTable group={group} vat={rates.vat} />
        </Section>
      ))}
      <ProseBlock prose={text.body} />
      <Callout
        heading="Посчитаем вашу партию"
        text="Назовите число единиц, размеры и склад: посчитаем по этой таблице и назовём сумму."
        preset="calculation"
        action="Заказать расчёт"
        phone={phone}
      />
    </>
  ),
});

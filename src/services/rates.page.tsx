import { LinkButton } from '../design/action.tsx';
import { Callout } from '../design/callout.tsx';
import { ContentsList } from '../design/contents-list.tsx';
import { SinceText } from '../design/date-text.tsx';
import { FactList } from '../design/fact-list.tsx';
import { PageHeading } from '../design/page-heading.tsx';
import { ProseSections } from '../design/prose-sections.tsx';
import { Section } from '../design/section.tsx';
import { defineSection } from '../document/page.ts';
import { leadPrices } from '../model/lead-prices.ts';
import { calculatorAddress } from './order.ts';
import { LeadPriceLines } from './price-from.tsx';
import { PriceTable } from './price-table.tsx';
import './rates.css';

export const rates = defineSection({
  name: 'rates',
  path: '/rates',
  share: { drawing: '/images/presets/price.svg' },
  props: (content) => ({
    rates: content.rates,
    company: content.company,
  }),
  dates: ({ text, rates }) => [text.updated, rates.effective],
  Body: ({ text, rates, company, next }) => {
    const [howToRead, ...more] = text.body.parts;
    return (
      <>
        <PageHeading
          heading={text.heading}
          lead={text.lead}
          label={
            <FactList
              facts={[
                {
                  term: 'Действуют',
                  value: <SinceText date={rates.effective} />,
                },
                { term: 'НДС', value: rates.vat },
                { term: 'Материалы', value: rates.materials, wide: true },
              ]}
            />
          }
        >
          <p className="rates-company">
            {company.legalName}, {company.address.locality}, {company.address.street}. {company.phone.text},{' '}
            {company.email}, ИНН&nbsp;{company.inn}
          </p>
          <p className="rates-actions">
            <LinkButton href={calculatorAddress} text="Посчитать партию" />
            <a href="/rates.csv">Прайс-лист для Excel</a>
          </p>
        </PageHeading>
        <ContentsList inline label="Услуги" headings={rates.groups.map(({ id, title }) => ({ id, text: title }))} />
        <ProseSections parts={howToRead ? [howToRead] : []} />
        {rates.groups.map((group) => (
          <Section
            key={group.id}
            id={group.id}
            heading={group.title}
            fold={<LeadPriceLines prices={leadPrices(group)} />}
          >
            <PriceTable group={group} />
          </Section>
        ))}
        <ProseSections parts={more} />
        <Callout next={next} />
      </>
    );
  },
});

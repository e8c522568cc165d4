import { LinkButton } from '../../components/action.tsx';
import { Callout } from '../../components/callout.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { ContentsList } from '../../components/prose/contents-list.tsx';
import { DateText, SinceText } from '../../components/prose/date-text.tsx';
import { ProseSections } from '../../components/prose/prose-sections.tsx';
import { Section } from '../../components/section.tsx';
import { mainPrices } from '../../pricing/main-prices.ts';
import { nextRatesCsvPath } from '../../pricing/rates-csv.ts';
import { defineSection } from '../page.ts';
import { MainPriceLines } from './batch-price.tsx';
import { calculationsByRate, countAction } from './calculator-links.ts';
import { ladderOf, PriceLadder } from './price-ladder.tsx';
import { PriceTable } from './price-table.tsx';
import './rates.css';

export const rates = defineSection({
  name: 'rates',
  path: '/rates',
  share: { drawing: '/images/presets/price.svg' },
  props: (content) => ({
    rates: content.rates,
    newPrices: content.nextRates?.effective,
    company: content.company,
    ladder: ladderOf(content),
    action: countAction(content),
    links: Object.fromEntries(calculationsByRate(content)),
  }),
  head: ({ action }) => ({ action }),
  dates: ({ text, rates }) => [text.updated, rates.effective],
  Body: ({ text, rates, newPrices, company, ladder, action, links, next }) => (
    <>
      <PageHeading heading={text.heading} intro={text.lead} label={ladder && <PriceLadder ladder={ladder} />}>
        <p className="rates-company">
          {company.legalName}, {company.address.locality}, {company.address.street}. {company.phone.text},{' '}
          {company.email}, ИНН&nbsp;{company.inn}
        </p>
        <p className="rates-vat">
          {rates.vat}, действуют <SinceText date={rates.effective} />
        </p>
        {newPrices && (
          <p className="rates-vat">
            С&nbsp;
            <DateText date={newPrices} /> новые цены: <a href={nextRatesCsvPath}>прайс-лист для Excel</a>
          </p>
        )}
        <p className="rates-actions">
          <LinkButton {...action} />
          <a href="/rates.csv">Прайс-лист для Excel</a>
        </p>
      </PageHeading>
      <ContentsList inline label="Услуги" headings={rates.groups.map(({ id, title }) => ({ id, text: title }))} />
      {rates.groups.map((group) => (
        <Section
          key={group.id}
          variant="wide"
          id={group.id}
          heading={group.title}
          fold={<MainPriceLines prices={mainPrices(rates, group)} />}
        >
          <PriceTable group={group} links={links} />
        </Section>
      ))}
      <Section id="materials" heading="Материалы" fold>
        <p>{rates.materials}</p>
      </Section>
      <ProseSections parts={text.body.parts} />
      <Callout next={next} />
    </>
  ),
});

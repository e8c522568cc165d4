import { Fragment } from 'react';
import type { PageAction } from '../../components/action.tsx';
import { LinkButton } from '../../components/action.tsx';
import { Fold } from '../../components/fold.tsx';
import { Offer, type OfferLabel } from '../../components/offer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { formatCount, formatDayOfMonth, formatPrice, nameOfWeekday, onDayFrom } from '../../lib/format.ts';
import { type Content, hasPage, localToday } from '../../model/content.ts';
import { type Bill, billOf } from '../../pricing/bill.ts';
import { isWhole } from '../../pricing/calculation.ts';
import { goodsSummary } from '../../pricing/calculation-words.ts';
import { examplesByMarketplace } from '../../pricing/example.ts';
import { loadOf, type PalletLoad } from '../../pricing/pallet-load.ts';
import { type Term, termOf } from '../../pricing/term.ts';
import { OrderLoad } from '../services/order-load.tsx';
import { TermStrip } from '../services/term-strip.tsx';
import { Scene } from './scene.tsx';
import './hero.css';

type Example = {
  marketplace: string;
  goods: string;
  units: number;
  bill: Bill;
  load: PalletLoad | undefined;
  /** The same number for every marketplace. */
  prices: readonly PriceOfUnits[];
  term: Term | undefined;
  /** `сегодня, 26 ноября` */
  brought: string | undefined;
};

type PriceOfUnits = {
  units: number;
  perUnit: string;
  total: string;
  /** Of the calculator. */
  href: string | undefined;
};

/** A trial, and the largest order that is prepared in the usual time. */
const otherUnits = [100, 5000];

export function heroExamples(content: Content): readonly Example[] {
  const examples = examplesByMarketplace(content);
  const prices = pricesByUnits(content, examples);
  return examples.map(({ marketplace, calculation }, index) => {
    const term = termOf(content, calculation);
    return {
      marketplace,
      goods: goodsSummary(content.calculator, calculation),
      units: calculation.order.units,
      bill: billOf(content, calculation, term),
      load: loadOf(content.calculator, calculation),
      prices: prices.flatMap((ofMarketplaces) => ofMarketplaces[index] ?? []),
      term,
      brought: term && onDayFrom(localToday(content), term.brought),
    };
  });
}

/** For each number of units whose price and day are known for all examples: the price for each of them. */
function pricesByUnits(content: Content, examples: ReturnType<typeof examplesByMarketplace>): PriceOfUnits[][] {
  const { limits, preparation } = content.calculator;
  const own = examples[0]?.calculation.order.units ?? 0;
  const most = Math.min(limits.units, preparation.units);
  return [...new Set([own, ...otherUnits])]
    .filter((units) => units === own || units <= most)
    .sort((a, b) => a - b)
    .map((units) => {
      const about = { units: String(units), places: '' };
      const ofUnits = units === own ? examples : examplesByMarketplace(content, about);
      return ofUnits.flatMap(({ calculation, href }) => {
        if (!isWhole(calculation)) return [];
        const { perUnit, total } = calculation;
        return {
          units,
          perUnit: formatPrice(perUnit),
          total: formatPrice(total),
          href: hasPage(content, 'calc') ? href : undefined,
        };
      });
    })
    .filter((ofMarketplaces) => ofMarketplaces.length === examples.length);
}

type Props = {
  heading: string;
  intro: string;
  examples: readonly Example[];
  action: PageAction;
  offer: OfferLabel | undefined;
  drawing: string | undefined;
  /** First day of the prices. */
  effective: string;
  /** `с НДС` */
  tax: string;
};

/** Price and delivery day of an example order. The server renders one for each marketplace, and the choice shows one. */
export function Hero({ heading, intro, examples, action, offer, drawing, effective, tax }: Props) {
  const quantities = examples[0]?.prices ?? [];
  const load = examples[0]?.load;
  return (
    <div className="hero">
      <PageHeading heading={heading} intro={intro} />
      {examples.length > 1 &&
        examples.map(({ marketplace }, index) => (
          <Fragment key={marketplace}>
            <input type="radio" name="marketplace" id={`to-${index}`} defaultChecked={index === 0} />
            <label htmlFor={`to-${index}`}>{marketplace}</label>
          </Fragment>
        ))}
      {quantities.length > 1 &&
        quantities.map(({ units }, index) => (
          <input
            key={units}
            type="radio"
            name="units"
            id={`units-${index}`}
            className={`units-${index}`}
            defaultChecked={units === examples[0]?.units}
          />
        ))}
      <div className="answers" data-dated="">
        {quantities.length > 1 && (
          <p className="quantities">
            {quantities.map(({ units }, index) => (
              <label key={units} htmlFor={`units-${index}`}>
                {formatCount(units)}&nbsp;шт.
              </label>
            ))}
          </p>
        )}
        {examples.map((example, index) => (
          <div key={example.marketplace}>
            <Answer example={example} />
            {example.term && <TermStrip term={example.term} again={index > 0} />}
          </div>
        ))}
      </div>
      <div className="hero-next">
        <LinkButton {...action} />
        <Offer offer={offer} />
      </div>
      <Scene drawing={drawing} />
      {examples[0] && (
        <div className="receipt">
          <Fold summary={`Из чего складывается цена ${formatCount(examples[0].units)}\u00A0штук`}>
            {load && <OrderLoad load={load} />}
            <Receipt examples={examples} caption={`Пример: ${examples[0].goods}`} />
            <p>
              Цены с <DateText date={effective} />, {tax}.
            </p>
          </Fold>
        </div>
      )}
    </div>
  );
}

function Answer({ example: { prices, term, brought } }: { example: Example }) {
  return (
    <dl>
      {prices.length > 0 && (
        <div>
          <dt>Цена за единицу</dt>
          {prices.map(({ units, perUnit, total, href }, index) => (
            <dd key={units} className={prices.length > 1 ? `of-${index}` : undefined}>
              {href ? <a href={href}>{perUnit}</a> : perUnit}{' '}
              <small>
                {total} за&nbsp;{formatCount(units)}&nbsp;шт.
              </small>
            </dd>
          ))}
        </div>
      )}
      {term && (
        <div>
          <dt>Будет на складе</dt>
          <dd>
            <a href="#departures">
              <time dateTime={term.delivered}>{formatDayOfMonth(term.delivered)}</time>
            </a>{' '}
            <small>
              {nameOfWeekday(term.delivered)}, {term.departure.warehouse}, если привезёте {brought}
            </small>
          </dd>
        </div>
      )}
    </dl>
  );
}

type Row = Bill['rows'][number];

/** Rows that all examples share appear once. */
function Receipt({ examples, caption }: { examples: readonly Example[]; caption: string }) {
  const isIn = (row: Row, { bill }: Example) => bill.rows.some(({ text, sum }) => text === row.text && sum === row.sum);
  const isShared = (row: Row) => examples.every((example) => isIn(row, example));
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {examples[0]?.bill.rows.filter(isShared).map((row) => (
          <ReceiptRow key={row.text} row={row} />
        ))}
      </tbody>
      {examples.map(({ marketplace, bill }) => (
        <tbody key={marketplace}>
          {bill.rows
            .filter((row) => !isShared(row))
            .map((row) => (
              <ReceiptRow key={row.text} row={row} />
            ))}
          <tr className="receipt-total">
            <th scope="row">Итого</th>
            <td>{bill.total}</td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}

function ReceiptRow({ row: { text, sum } }: { row: Row }) {
  return (
    <tr>
      <th scope="row">{text}</th>
      <td>{sum}</td>
    </tr>
  );
}

import type { PageAction } from '../../components/action.tsx';
import { LinkButton } from '../../components/action.tsx';
import { Fold } from '../../components/fold.tsx';
import { Offer, type OfferLabel } from '../../components/offer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { InlineSvg, Picture } from '../../components/picture.tsx';
import { DateText } from '../../components/prose/date-text.tsx';
import { formatCount, formatDayOfMonth, formatPrice, nameOfWeekday, onDayFrom } from '../../lib/format.ts';
import { type Content, hasPage, localToday } from '../../model/content.ts';
import { type Bill, billOf } from '../../pricing/bill.ts';
import { isWhole } from '../../pricing/calculation.ts';
import { examplesByMarketplace } from '../../pricing/example.ts';
import { goodsSummary } from '../../pricing/order-text.ts';
import { loadOf, type PalletLoad } from '../../pricing/pallet-load.ts';
import { type Term, termOf } from '../../pricing/term.ts';
import { OrderLoad } from '../services/order-load.tsx';
import { TermStrip } from '../services/term-strip.tsx';
import warehouse from './warehouse.svg';
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
  /** Replaces the warehouse; `home-schema.ts` has its size. */
  drawing: string | undefined;
  /** First day of the prices. */
  effective: string;
  /** `с НДС` */
  tax: string;
};

/** `hero.css` hides the answers to other choices for this many marketplaces, and for three numbers of units. */
const maxMarketplaces = 6;

/** Price and delivery day of an example order. The server renders one for each marketplace, and the choice shows one. */
export function Hero({ heading, intro, examples, action, offer, drawing, effective, tax }: Props) {
  const [first] = examples;
  const shown = examples.slice(0, maxMarketplaces);
  const quantities = first?.prices ?? [];
  return (
    <div className={[2, 4].includes(shown.length) ? 'hero hero-pairs' : 'hero'}>
      <PageHeading heading={heading} intro={intro} />
      {shown.length > 1 &&
        shown.map(({ marketplace }, index) => (
          <Choice key={marketplace} name="marketplace" index={index} text={marketplace} checked={index === 0} />
        ))}
      <div className="answers">
        {quantities.length > 1 &&
          quantities.map(({ units }, index) => (
            <Choice
              key={units}
              name="units"
              index={maxMarketplaces + index}
              text={`${formatCount(units)}\u00A0шт.`}
              checked={units === first?.units}
            />
          ))}
        <div data-dated="">
          {shown.map((example, index) => (
            <div key={example.marketplace} className={`of-${index}`}>
              <Answer example={example} />
              {example.term && <TermStrip term={example.term} again={index > 0} />}
            </div>
          ))}
        </div>
      </div>
      <div className="hero-next">
        <LinkButton {...action} />
        <Offer offer={offer} />
      </div>
      {drawing ? (
        <div className="hero-drawing">
          <Picture eager picture={{ src: drawing, alt: '', width: 640, height: 564 }} />
        </div>
      ) : (
        <InlineSvg className="hero-drawing" svg={warehouse} />
      )}
      {first && (
        <Fold summary={`Из чего складывается цена ${formatCount(first.units)}\u00A0штук`}>
          {first.load && <OrderLoad load={first.load} />}
          <BillTable examples={shown} caption={`Пример: ${first.goods}`} />
          <p>
            Цены с <DateText date={effective} />, {tax}.
          </p>
        </Fold>
      )}
    </div>
  );
}

type ChoiceProps = { name: string; index: number; text: string; checked: boolean };

/** Without a script, `hero.css` shows only the elements of the checked choices: those of choice 1 have the class `of-1`. */
function Choice({ name, index, text, checked }: ChoiceProps) {
  const id = `choice-${index}`;
  return (
    <>
      <input type="radio" name={name} id={id} defaultChecked={checked} />
      <label htmlFor={id}>{text}</label>
    </>
  );
}

function Answer({ example: { prices, term, brought } }: { example: Example }) {
  return (
    <dl>
      {prices.length > 0 && (
        <div>
          <dt>Цена за единицу</dt>
          {prices.map(({ units, perUnit, total, href }, index) => (
            <dd key={units} className={`of-${maxMarketplaces + index}`}>
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
function BillTable({ examples, caption }: { examples: readonly Example[]; caption: string }) {
  const isIn = (row: Row, { bill }: Example) => bill.rows.some(({ text, sum }) => text === row.text && sum === row.sum);
  const isShared = (row: Row) => examples.every((example) => isIn(row, example));
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {examples[0]?.bill.rows.filter(isShared).map((row) => (
          <BillRow key={row.text} row={row} />
        ))}
      </tbody>
      {examples.map(({ marketplace, bill }, index) => (
        <tbody key={marketplace} className={`of-${index}`}>
          {bill.rows
            .filter((row) => !isShared(row))
            .map((row) => (
              <BillRow key={row.text} row={row} />
            ))}
          <tr className="hero-total">
            <th scope="row">Итого</th>
            <td>{bill.total}</td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}

function BillRow({ row: { text, sum } }: { row: Row }) {
  return (
    <tr>
      <th scope="row">{text}</th>
      <td>{sum}</td>
    </tr>
  );
}

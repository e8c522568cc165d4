import { LinkButton } from '../../components/action.tsx';
import { fieldId } from '../../components/forms/error-summary.tsx';
import { Offer, type OfferLabel } from '../../components/offer.tsx';
import type { Preset } from '../../model/content.ts';
import type { Bill } from '../../pricing/bill.ts';
import { calculatorPath } from '../../pricing/order-fields.ts';
import type { PalletLoad } from '../../pricing/pallet-load.ts';
import type { OrderError } from '../../pricing/read-order.ts';
import type { Term } from '../../pricing/term.ts';
import { BillTotal, FoldedBill } from './calculation-table.tsx';
import { OrderLoad } from './order-load.tsx';
import { type OrderWay, OrderWays } from './order-ways.tsx';
import { TermStrip } from './term-strip.tsx';

export type CalcResult = {
  bill: Bill;
  term: Term | undefined;
  load: PalletLoad | undefined;
  ways: readonly OrderWay[];
  /** It says how the order differs from what was asked for. */
  remark: string | undefined;
  notes: readonly string[];
  /** The example has none, because it cannot be sent. */
  query: string | undefined;
};

type CalcResultProps = {
  result: CalcResult;
  offer: OfferLabel | undefined;
  request: Pick<Preset, 'slug' | 'title'>;
  prices: string;
};

export function CalcResultSection({ result, offer, request, prices }: CalcResultProps) {
  const { bill, term, load, ways, remark, notes, query } = result;
  return (
    <section
      id="result"
      className="calc-result"
      aria-labelledby="result-heading"
      data-goal={query === undefined ? undefined : 'calculation'}
    >
      <h2 id="result-heading">{query === undefined ? 'Пример расчёта' : 'Ваш расчёт'}</h2>
      {load && <OrderLoad load={load} />}
      <div data-dated={query ?? ''}>
        <BillTotal bill={bill} />
        {term && <TermStrip term={term} />}
      </div>
      {remark !== undefined && <p>{remark}</p>}
      {query !== undefined && (
        <p>
          <LinkButton
            href={`/contact?${new URLSearchParams({ preset: request.slug, calc: query })}`}
            text={request.title}
          />
        </p>
      )}
      <OrderWays ways={ways} />
      <Offer offer={offer} />
      <FoldedBill hints bill={bill} caption={`${bill.order}. ${prices}`} />
      <ul className="calc-notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {query !== undefined && (
        <a className="calc-link" href={calculatorPath(query)}>
          Ссылка на этот расчёт
        </a>
      )}
    </section>
  );
}

type CalcSumProps = { error: OrderError | undefined; bill: Bill | undefined; example: boolean };

/** It sticks to the edge of narrow screens. */
export function CalcSum({ error, bill, example }: CalcSumProps) {
  return (
    <p className="calc-sum">
      {error ? (
        <a href={`#${fieldId(error.field)}`}>{error.message}</a>
      ) : bill ? (
        <a href="#result">
          {example ? 'Пример:' : 'Итого'} <b>{bill.total}</b>
          {bill.without !== undefined && ` ${bill.without}`}
          {bill.perUnit !== undefined && `, ${bill.perUnit} за\u00A0единицу`}
        </a>
      ) : (
        'Заполните поля, и здесь появится итог'
      )}
    </p>
  );
}

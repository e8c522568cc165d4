import { memoizedWeakly } from '../../lib/lazy.ts';
import { type Content, hasPage } from '../../model/content.ts';
import { batchPrice } from '../../pricing/main-prices.ts';
import { PriceOfBatch } from '../services/batch-price.tsx';
import { calculationsByRate } from '../services/calculator-links.ts';
import { indexOf } from './index-of.ts';
import './price-answers.css';

const maxAnswers = 3;
/** Words of a question about a price that no row of prices has. */
const priceWords = 'цена стоимость стоит тариф руб рублей почём';

/** With the terms of each row. */
const pricedRows = memoizedWeakly((content: Content) => {
  const { words } = indexOf(content);
  return content.rates.groups.flatMap((group) =>
    group.rows.map((row) => {
      const terms = new Set(words.tokens(row.text).flatMap(({ text }) => words.textTerms(text)));
      return { row, group, terms };
    }),
  );
});

const calculations = memoizedWeakly((content: Content) => calculationsByRate(content));

/** The rows whose text has every word of the query, but no more than a glance can take in. */
export function priceAnswers(content: Content, query: string) {
  if (query === '' || !hasPage(content, 'rates')) return [];
  const { words } = indexOf(content);
  const queryTerms = (text: string) => words.tokens(text).flatMap(({ text: token }) => words.queryTerms(token));
  const ignored = new Set(queryTerms(priceWords));
  const wanted = queryTerms(query).filter((term) => !ignored.has(term));
  if (wanted.length === 0) return [];
  return pricedRows(content)
    .filter(({ terms }) => wanted.every((term) => terms.has(term)))
    .slice(0, maxAnswers)
    .map(({ row, group }) => ({
      ...{ id: row.id, text: row.text, group: group.id },
      price: batchPrice(content.rates, row),
      calculation: calculations(content).get(row.id),
    }));
}

export function PriceAnswers({ answers }: { answers: ReturnType<typeof priceAnswers> }) {
  return (
    <ul className="price-answers" aria-label="Цены">
      {answers.map(({ id, text, group, price, calculation }) => (
        <li key={id}>
          <a href={`/rates#${group}`}>{text}</a>
          <b>
            <PriceOfBatch price={price} />
          </b>
          {calculation && <a href={calculation}>Посчитать</a>}
        </li>
      ))}
    </ul>
  );
}

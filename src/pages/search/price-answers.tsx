import { memoizedWeakly } from '../../lib/lazy.ts';
import { type Content, hasPage } from '../../model/content.ts';
import { batchPrice } from '../../pricing/main-prices.ts';
import { PriceOfBatch } from '../services/batch-price.tsx';
import { calculationsByRate } from '../services/calculator-links.ts';
import { indexOf } from './search.ts';
import './price-answers.css';

const maxAnswers = 3;
/** Words of a question about a price that no row of prices has. */
const ignoredWords = 'цена стоимость стоит тариф руб рублей почём';

/** With the terms of each row. */
const pricedRows = memoizedWeakly((content: Content) => {
  const { analyzer } = indexOf(content);
  return content.rates.groups.flatMap((group) =>
    group.rows.map((row) => {
      const terms = new Set(analyzer.tokens(row.text).flatMap(({ text }) => analyzer.textTerms(text)));
      return { row, group, terms };
    }),
  );
});

const calculations = memoizedWeakly((content: Content) => calculationsByRate(content));

/** The rows whose text has every word of the query, but no more than a glance can take in. */
export function priceAnswers(content: Content, query: string) {
  if (query === '' || !hasPage(content, 'rates')) return [];
  const { analyzer } = indexOf(content);
  const termsOf = (text: string) => analyzer.tokens(text).flatMap(({ text: token }) => analyzer.queryTerms(token));
  const ignored = new Set(termsOf(ignoredWords));
  const queryTerms = termsOf(query).filter((term) => !ignored.has(term));
  if (queryTerms.length === 0) return [];
  return pricedRows(content)
    .filter(({ terms }) => queryTerms.every((term) => terms.has(term)))
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

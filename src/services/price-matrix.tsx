import { Fragment, type ReactNode } from 'react';
import { formatCount, formatPrice } from '../design/format.ts';
import type { Rate } from '../model/content.ts';
import './price-matrix.css';

/** `minimum`: whether any rate has a minimum charge. */
type Kind = { unit: string; volumes: readonly number[]; minimum: boolean };

/** Rates that differ only in the unit, side by side. */
export type Matrix = { kinds: readonly Kind[]; lines: readonly { name: string; rates: readonly Rate[] }[] };

/** @returns `undefined` unless all rows are «Имя, единица» with the same units and volumes for each name */
export function matrixOf(rows: readonly Rate[]): Matrix | undefined {
  const nameOf = ({ text, unit }: Rate) =>
    text.endsWith(`, ${unit}`) ? text.slice(0, -`, ${unit}`.length) : undefined;
  const lines = [...Map.groupBy(rows, nameOf)].map(([name = '', rates]) => ({ name, rates }));
  const like = (rates: readonly Rate[]) =>
    JSON.stringify(rates.map(({ unit, tiers }) => [unit, tiers.map(({ from }) => from)]));
  const [first] = lines;
  if (!first || first.rates.length < 2 || lines.some(({ name, rates }) => !name || like(rates) !== like(first.rates))) {
    return undefined;
  }
  const kinds = first.rates.map(({ unit, tiers }, index) => ({
    unit,
    volumes: tiers.map(({ from }) => from),
    minimum: lines.some(({ rates }) => rates[index]?.minimum !== undefined),
  }));
  return { kinds, lines };
}

/** On narrow screens each unit is a line below the name, and the header has the same layout. */
export function PriceMatrix({ matrix: { kinds, lines }, children }: { matrix: Matrix; children: ReactNode }) {
  return (
    <table className="matrix">
      {children}
      <thead>
        <tr className="matrix-kinds">
          <th scope="col" rowSpan={2}>
            <span className="visually-hidden">Услуга</span>
          </th>
          {kinds.map(({ unit, volumes, minimum }) => (
            <th key={unit} scope="colgroup" colSpan={volumes.length + (minimum ? 1 : 0)}>
              {unit}
            </th>
          ))}
        </tr>
        <tr>
          {kinds.map(({ unit, volumes, minimum }) => (
            <Fragment key={unit}>
              {volumes.map((from, index) => (
                <th key={from} scope="col" className={index === 0 ? 'matrix-first' : undefined}>
                  {index === 0 && <span>{unit}</span>} от&nbsp;{formatCount(from)}
                </th>
              ))}
              {minimum && (
                <th scope="col" className="matrix-minimum">
                  минимум
                </th>
              )}
            </Fragment>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, rates }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              {rates.map(({ id, note }) => note && <small key={id}>{note}</small>)}
            </th>
            {rates.map((rate, index) => (
              <Cells key={rate.id} rate={rate} minimum={kinds[index]?.minimum ?? false} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ rate: { id, unit, tiers, minimum: smallest }, minimum }: { rate: Rate; minimum: boolean }) {
  return (
    <>
      {tiers.map(({ from, price }, index) =>
        index === 0 ? (
          <td key={from} id={id} className="matrix-first">
            <span>{unit}</span> {formatPrice(price)}
          </td>
        ) : (
          <td key={from}>{formatPrice(price)}</td>
        ),
      )}
      {minimum && (
        <td className="matrix-minimum">
          {smallest !== undefined && (
            <>
              <span>мин.</span> {formatPrice(smallest)}
            </>
          )}
        </td>
      )}
    </>
  );
}

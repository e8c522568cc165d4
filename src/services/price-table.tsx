import type { ReactNode } from 'react';
import { formatCount, formatPrice } from '../design/format.ts';
import type { Rate, RateGroup } from '../model/content.ts';
import { matrixOf, PriceMatrix } from './price-matrix.tsx';
import './price-table.css';

type Props = {
  group: RateGroup;
  /** Omitted if the page already states it. */
  vat?: string;
};

/**
 * Groups rows with the same volume tiers under one header, which repeats for screen readers only. Narrow screens stack
 * the cells, so that prices need no horizontal scrolling.
 */
export function PriceTable({ group, vat }: Props) {
  const matrix = matrixOf(group.rows);
  const title = (
    <caption>
      <span className="visually-hidden">{group.title}. </span>
      {vat && `${vat}, цена единицы зависит от количества`}
    </caption>
  );
  return (
    <>
      {matrix ? <PriceMatrix matrix={matrix}>{title}</PriceMatrix> : <Tiers rows={group.rows}>{title}</Tiers>}
      {group.note && <p className="prices-note">{group.note}</p>}
    </>
  );
}

function Tiers({ rows, children }: { rows: readonly Rate[]; children: ReactNode }) {
  const minimum = rows.some((row) => row.minimum !== undefined);
  const columns = Math.max(...rows.map(({ tiers }) => tiers.length));
  return (
    <table className="prices">
      {children}
      {byVolumes(rows).map(({ volumes, rows }, index) => (
        <tbody key={volumes.join()}>
          <tr className="prices-volumes">
            <ColumnHeader text="Услуга" seen={index === 0} />
            <ColumnHeader text="Единица" seen={index === 0} />
            {volumes.map((from) => (
              <ColumnHeader key={from} text={`от\u00A0${formatCount(from)}`} seen />
            ))}
            <Rest of={volumes} columns={columns} />
            {minimum && <ColumnHeader text="Минимум" seen={index === 0} />}
          </tr>
          {rows.map((row) => (
            <Row key={row.id} row={row} columns={columns} minimum={minimum} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function ColumnHeader({ text, seen }: { text: string; seen: boolean }) {
  return <th scope="col">{seen ? text : <span className="visually-hidden">{text}</span>}</th>;
}

function Row({ row, columns, minimum }: { row: Rate; columns: number; minimum: boolean }) {
  return (
    <tr id={row.id}>
      <th scope="row">
        {row.text}
        {row.note && <small>{row.note}</small>}
        {row.next && (
          <small>
            {row.next.unit}: +&nbsp;{formatPrice(row.next.price)}
          </small>
        )}
      </th>
      <td className="prices-unit">{row.unit}</td>
      {row.tiers.map(({ from, price }) => (
        <td key={from}>
          {/* For narrow screens, which hide the header. */}
          <span>от {formatCount(from)}</span> {formatPrice(price)}
        </td>
      ))}
      <Rest of={row.tiers} columns={columns} />
      {minimum && <td className="prices-minimum">{row.minimum !== undefined && formatPrice(row.minimum)}</td>}
    </tr>
  );
}

function Rest({ of, columns }: { of: readonly unknown[]; columns: number }) {
  const rest = columns - of.length;
  return rest > 0 ? <td colSpan={rest} /> : null;
}

/** In order of appearance. A row with fewer tiers joins a group that starts with the same ones. */
function byVolumes(rows: readonly Rate[]): { volumes: readonly number[]; rows: Rate[] }[] {
  const groups: { volumes: readonly number[]; rows: Rate[] }[] = [];
  for (const row of rows) {
    const volumes = row.tiers.map(({ from }) => from);
    const group = groups.find((one) => agree(one.volumes, volumes));
    if (!group) {
      groups.push({ volumes, rows: [row] });
      continue;
    }
    group.rows.push(row);
    if (volumes.length > group.volumes.length) group.volumes = volumes;
  }
  return groups;
}

/** Equal, or one starts with the other and they share at least three tiers. */
function agree(one: readonly number[], other: readonly number[]): boolean {
  const shared = Math.min(one.length, other.length);
  return (one.length === other.length || shared >= 3) && one.slice(0, shared).join() === other.slice(0, shared).join();
}

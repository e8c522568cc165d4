import type { ReactNode } from 'react';
import './board.css';

type Row = { key: string; href: string; name: string; value?: ReactNode };

/** Links, each with one fact: in the same line, or below if the facts are long. */
export function Board({ rows, long }: { rows: readonly Row[]; long?: boolean }) {
  return (
    <ul className={long ? 'board board-long' : 'board'}>
      {rows.map(({ key, href, name, value }) => (
        <li key={key}>
          <a href={href}>{name}</a>
          {value && <div>{value}</div>}
        </li>
      ))}
    </ul>
  );
}

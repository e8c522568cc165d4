import type { ReactNode } from 'react';
import './board.css';

type Row = { key: string; href: string; name: string; value?: ReactNode };

/** Names that lead on, each with what one wants to know of it: beside it, or below if it is long. */
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

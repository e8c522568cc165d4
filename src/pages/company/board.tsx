import type { ReactNode } from 'react';
import { Drawing } from '../../components/picture.tsx';
import { StretchedLink } from '../../components/stretched-link.tsx';
import './board.css';

type Row = { key: string; href: string; name: string; image?: string; value?: ReactNode };

type Props = { rows: readonly Row[]; variant?: 'long' | 'drawn' };

/** Links, each with one fact: in the same line, or below if the facts are long. */
export function Board({ rows, variant }: Props) {
  return (
    <ul className={variant ? `board board-${variant}` : 'board'}>
      {rows.map(({ key, href, name, image, value }) => (
        <li key={key}>
          <Drawing image={image} />
          <StretchedLink href={href}>{name}</StretchedLink>
          {value && <div>{value}</div>}
        </li>
      ))}
    </ul>
  );
}

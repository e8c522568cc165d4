import { StretchedLink } from '../../components/stretched-link.tsx';
import type { Content } from '../../model/content.ts';
import './sheets.css';

/** Documents that a client gets, three fanned out, others in a row that a thumb swipes. */
export function Sheets({ sheets }: { sheets: Content['home']['sheets'] }) {
  return (
    <ul className={sheets.length === 3 ? 'sheets' : 'sheets sheets-row'}>
      {sheets.map(({ title, to, variant, rows, stamp }) => (
        <li key={title} className={variant}>
          <h3>
            <StretchedLink href={to}>{title}</StretchedLink>
          </h3>
          <dl>
            {rows.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {stamp && <p>{stamp}</p>}
        </li>
      ))}
    </ul>
  );
}

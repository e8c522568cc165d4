import type { PageText } from '../../model/content.ts';
import './figures.css';

/** A row for each, and each date once. */
export function Figures({ figures = [] }: Pick<PageText, 'figures'>) {
  return (
    <div className="figures">
      {[...Map.groupBy(figures, ({ at }) => at)].map(([at, dated]) => (
        <div key={at}>
          <p>{at}</p>
          <dl>
            {dated.map(({ text, value }) => (
              <div key={text}>
                <dt>{text}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

import type { CaseStudy } from '../site/content.ts';
import './results-table.css';

/** Figures before and after, with how they were measured. */
export function ResultsTable({ results, method }: Pick<CaseStudy, 'results' | 'method'>) {
  return (
    <>
      <table className="results">
        <caption>До и после</caption>
        <thead>
          <tr>
            <th scope="col">Показатель</th>
            <th scope="col">До</th>
            <th scope="col">После</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ metric, before, after }) => (
            <tr key={metric}>
              <th scope="row">{metric}</th>
              <td>{before}</td>
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="results-method">
        <b>Как считали.</b> {method}
      </p>
    </>
  );
}

import type { CaseStudy } from '../model/content.ts';
import './results-table.css';

/** Figures before and after, with the time that they are for and how they were measured. */
export function ResultsTable({ results, period, method }: Pick<CaseStudy, 'results' | 'period' | 'method'>) {
  return (
    <div className="results">
      <table>
        <caption>{period}</caption>
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
      <div className="results-method">
        <h3>Как считали</h3>
        <p>{method}</p>
      </div>
    </div>
  );
}

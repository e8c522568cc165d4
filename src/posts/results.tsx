import type { CaseStudy } from '../model/content.ts';
import { ChangeBars } from './change-bars.tsx';
import './results.css';

export function Results({ results, period, method }: Pick<CaseStudy, 'results' | 'period' | 'method'>) {
  return (
    <div className="results">
      <div>
        <p className="results-period">{period}</p>
        <ul>
          {results.map((result) => (
            <li key={result.metric}>
              <p className="results-metric">{result.metric}</p>
              <div>
                <ChangeBars result={result} />
              </div>
            </li>
          ))}
        </ul>
      </div>
      <div className="results-method">
        <h3>Как считали</h3>
        <p>{method}</p>
      </div>
    </div>
  );
}

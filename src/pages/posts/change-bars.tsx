import { type CaseResult, changeOf } from './change.ts';
import './change-bars.css';

export function ChangeBars({ result }: { result: CaseResult }) {
  const { isWorse, bars } = changeOf(result);
  return (
    <>
      <p className="change">
        <span>было</span> <span className="change-figure">{result.before}</span> {bars && <Bar share={bars.before} />}
      </p>
      <p className="change change-now">
        <span>стало</span>{' '}
        <span className="change-figure">
          <strong>{result.after}</strong> {isWorse && <small>хуже</small>}
        </span>{' '}
        {bars && <Bar share={bars.after} />}
      </p>
    </>
  );
}

/** @param share percent of the width */
function Bar({ share }: { share: number }) {
  return (
    <svg className="change-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(share, 1)} height="1" />
    </svg>
  );
}

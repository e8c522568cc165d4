import './sample-mark.css';

/** Says that a case or a review is an example that ships with the site, not a client's. */
export function SampleMark() {
  return <span className="sample-mark">Образец</span>;
}

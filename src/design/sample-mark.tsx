import './sample-mark.css';

/** Marks a case or review that ships with the site and is not a client's. */
export function SampleMark() {
  return <span className="sample-mark">Образец</span>;
}

import './sample-mark.css';

/** For sample cases and reviews that ship with the site. */
export function SampleMark() {
  return <span className="sample-mark">Образец</span>;
}

import { formatDate } from '../../lib/format.ts';

/** «с 1 ноября 2026 г.» */
export function SinceText({ date }: { date: string }) {
  return (
    <>
      с&nbsp;
      <DateText date={date} />
    </>
  );
}

/** @param property `itemprop` in the surrounding microdata */
export function DateText({ date, property }: { date: string; property?: string }) {
  return (
    <time dateTime={date} itemProp={property}>
      {formatDate(date)}
    </time>
  );
}

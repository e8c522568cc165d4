import { formatDate } from './format.ts';

/** «с 1 ноября 2026 г.» */
export function SinceText({ date }: { date: string }) {
  return (
    <>
      с&nbsp;
      <DateText date={date} />
    </>
  );
}

/** A calendar date in words that machines can read too. @param property its name in the microdata around it */
export function DateText({ date, property }: { date: string; property?: string }) {
  return (
    <time dateTime={date} itemProp={property}>
      {formatDate(date)}
    </time>
  );
}

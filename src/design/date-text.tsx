import { formatDate } from './format.ts';

/** A calendar date in words that machines can read too. @param property its name in the microdata around it */
export function DateText({ date, property }: { date: string; property?: string }) {
  return (
    <time dateTime={date} itemProp={property}>
      {formatDate(date)}
    </time>
  );
}

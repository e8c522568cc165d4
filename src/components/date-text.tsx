import { formatDate } from './format.ts';

/** A calendar date in words that machines can read too. */
export function DateText({ date }: { date: string }) {
  return <time dateTime={date}>{formatDate(date)}</time>;
}

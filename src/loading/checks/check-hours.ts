import { daysAfter, weekdays } from '../../lib/calendar.ts';
import type { Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import { companyDay } from '../sources.ts';
import type { CheckInput } from './rule.ts';

/** Trucks run on working days only. */
export function* checkTruckDays({ sources }: CheckInput): Iterable<Problem> {
  const week = sources.company[0]?.value.workingHours.week;
  for (const source of week ? sources.departures : []) {
    for (const [index, { days }] of source.value.entries()) {
      for (const [position, day] of days.entries()) {
        if (week?.[day]?.length !== 0) continue;
        const message = `Рейса не будет: ${weekdays[day]} у вас выходной. Сотрите этот день или исправьте рабочие часы.`;
        yield problemAt(source, [index, 'days', position], message, { warning: true });
      }
    }
  }
}

/** Enough to enter the holidays of the next year. */
const daysAhead = 60;

/** A company without holidays may work on all days, but a list that ends is forgotten. */
export function* checkHolidays({ sources, at }: CheckInput): Iterable<Problem> {
  const [source] = sources.company;
  const { holidays = [] } = source?.value.workingHours ?? {};
  const last = holidays.toSorted().at(-1);
  const year = daysAfter(companyDay(sources, at), daysAhead).slice(0, 'yyyy'.length);
  if (!source || last === undefined || last >= year) return;
  const message = `Праздников ${year} года здесь нет, и сайт обещает звонки и рейсы даже 1 января. Впишите их.`;
  yield problemAt(source, ['workingHours', 'holidays', holidays.indexOf(last)], message, { warning: true });
}

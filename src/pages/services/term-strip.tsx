import { InlineSvg } from '../../components/picture.tsx';
import { daysFrom, weekdayOf, weekdays } from '../../lib/calendar.ts';
import { formatDay } from '../../lib/format.ts';
import type { TermDays } from '../../pricing/term.ts';
import drawings from './term-strip.svg';
import './term-strip.css';

/** Fourteen days take two rows on a phone. */
const maxDays = 14;

/** A day that several share shows the last one. */
const events = ['brought', 'ready', 'leaves', 'delivered'] as const;
type Event = (typeof events)[number];

/** A truck stands too close to its neighbours for a word. */
const words: Partial<Record<Event, string>> = { brought: 'привоз', ready: 'готово', delivered: 'склад' };

type Props = {
  term: TermDays;
  /** The page has the drawings already. */
  again?: boolean;
};

/** Shows the days from bringing to delivery, unless there are too many. */
export function TermStrip({ term, again }: Props) {
  const days = daysFrom(term.brought, term.delivered);
  if (days.length > maxDays) return null;
  return (
    <div className="term-strip" role="img" aria-label={labelOf(term)}>
      {!again && <InlineSvg svg={drawings} />}
      {days.map((day) => {
        const event = events.findLast((one) => term[one] === day);
        return (
          <span key={day} className={event ?? (term.daysOff.includes(day) ? 'off' : undefined)}>
            {weekdays[weekdayOf(day)]}
            <br />
            {Number(day.slice(-2))}
            {event && (
              <>
                <svg aria-hidden="true">
                  <use href={`#term-${event}`} />
                </svg>
                {words[event] && <b>{words[event]}</b>}
              </>
            )}
          </span>
        );
      })}
    </div>
  );
}

function labelOf({ brought, ready, leaves, delivered }: TermDays): string {
  return `Привоз ${formatDay(brought)}, готово ${formatDay(ready)}, рейс ${formatDay(leaves)}, на складе ${formatDay(delivered)}`;
}

import { daysFrom, weekdayOf, weekdays } from '../../lib/calendar.ts';
import { formatDay } from '../../lib/format.ts';
import type { TermDays } from '../../pricing/term.ts';
import './term-strip.css';

/** Two rows on a phone. */
const maxDays = 14;

/** Later ones win a day that several share. */
const events = ['brought', 'ready', 'leaves', 'delivered'] as const;
type Event = (typeof events)[number];

/** A truck stands too close to its neighbours for a word. */
const words: Partial<Record<Event, string>> = { brought: 'привоз', ready: 'готово', delivered: 'склад' };

type Props = {
  term: TermDays;
  /** The page has the drawings already. */
  again?: boolean;
};

/** Days from bringing to delivery; nothing if there are too many. */
export function TermStrip({ term, again }: Props) {
  const days = daysFrom(term.brought, term.delivered);
  if (days.length > maxDays) return null;
  return (
    <div className="term-strip" role="img" aria-label={labelOf(term)}>
      {!again && <Drawings />}
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

/** In the look of `public/images`, for 32 px. */
function Drawings() {
  return (
    <svg width="0" height="0" aria-hidden="true">
      <symbol id="term-brought" viewBox="0 0 32 28">
        <path fill="none" d="M2 2l3 1v13l12 7 13-7" />
        <path d="M8 6v8l9 5v-8z" />
        <path fill="#eed9b8" d="M8 6l9-5 9 5-9 5z" />
        <path fill="#b98a52" d="M26 6v8l-9 5v-8z" />
        <path fill="#1d1a16" d="M8 19a2 2 0 1 0 .1 0zM17 24a2 2 0 1 0 .1 0z" />
      </symbol>
      <symbol id="term-ready" viewBox="0 0 32 28">
        <path d="M4 8v11l12 7v-11z" />
        <path fill="#eed9b8" d="M4 8l12-7 12 7-12 7z" />
        <path fill="#b98a52" d="M28 8v11l-12 7v-11z" />
        <path fill="#faf6ef" d="M18.5 17l7-4v6l-7 4z" />
        <path fill="none" d="M10 4.5l12 7M20 18.5l1.5 1.5 2.5-5" />
      </symbol>
      <symbol id="term-leaves" viewBox="0 0 32 28">
        <path fill="#faf6ef" d="M2 7v10l12 7v-10z" />
        <path fill="#faf6ef" d="M2 7l9-5 12 7-9 5z" />
        <path fill="#eed9b8" d="M23 9v10l-9 5v-10z" />
        <path d="M16 16l5 3v7l-5-3z" />
        <path fill="#eed9b8" d="M16 16l9-5 5 3-9 5z" />
        <path fill="#faf6ef" d="M30 14v7l-9 5v-7z" />
        <path fill="#1d1a16" d="M7 18a2.5 2.5 0 1 0 .1 0zM18 22.5a2.5 2.5 0 1 0 .1 0z" />
      </symbol>
      <symbol id="term-delivered" viewBox="0 0 32 28">
        <path fill="#faf6ef" d="M3 17l9-5 17 9-9 5zM3 7l9-5 17 9-9 5z" />
        <path d="M8 10v6l6 3.5v-6z" />
        <path fill="#eed9b8" d="M8 10l5-3 6 3.5-5 3z" />
        <path fill="#b98a52" d="M19 10.5v6l-5 3v-6z" />
        <path d="M16 15v5l5 3v-5z" />
        <path fill="#eed9b8" d="M16 15l4-2 5 3-4 2z" />
        <path fill="#b98a52" d="M25 16v5l-4 2v-5z" />
        <path fill="none" d="M3 7v14M20 16v11M29 11v14" />
      </symbol>
    </svg>
  );
}

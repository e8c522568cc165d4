import { DateText } from '../../components/prose/date-text.tsx';
import { Summary } from '../../components/summary.tsx';
import { weekdays } from '../../lib/calendar.ts';
import { type Company, type Content, callPhone, type Departure, hasPage, localToday } from '../../model/content.ts';
import { type NearestDeparture, nearestDepartures } from '../../pricing/departures.ts';
import { calculatorWith } from './calculator-links.ts';
import { DayText, MomentText } from './moment-text.tsx';
import './departure-table.css';

export type Timetable = {
  today: string;
  /** The most urgent comes first. */
  rows: readonly Departing[];
  /** The town whose time is shown. */
  locality: string;
  /** What the trucks take, in the genitive. */
  goods: string;
  phone: Company['phone'];
  /** It says what happens after the call. */
  other: string;
};

/** `calculator` is an address, if the calculator counts this warehouse. */
type Departing = NearestDeparture & { calculator: string | undefined; short: string };

type Choice = {
  /** Limits the table to this service. */
  service?: string;
  most?: number;
};

export function timetable(content: Content, { service, most }: Choice = {}): Timetable | undefined {
  const { company, departures, calculator, at } = content;
  const { workingHours, address, words } = company;
  const lines = departures.filter((one) => service === undefined || one.service === service);
  if (lines.length === 0) return undefined;
  const counted = new Set(hasPage(content, 'calc') ? calculator.warehouses.map(({ id }) => id) : []);
  return {
    today: localToday(content),
    rows: nearestDepartures(lines, workingHours, new Date(at))
      .slice(0, most)
      .map((row) => ({
        ...row,
        short: shortMarketplaces(row.marketplaces, company),
        calculator: counted.has(row.id) ? calculatorWith({ to: row.id }) : undefined,
      })),
    locality: address.locality,
    goods: words.readyGoods,
    phone: callPhone(company),
    other: words.otherDeparture,
  };
}

/** Times are absolute, because cached pages are read later; a script adds the countdown. */
export function DepartureTable({
  timetable: { today, rows, locality, goods, phone, other },
}: {
  timetable: Timetable;
}) {
  const [longestAgo] = rows.map(({ checked }) => checked).sort();
  return (
    <>
      {longestAgo && (
        <div>
          <p className="departures-note">
            Даты на&nbsp;
            <DateText date={today} />, для {goods}, время по&nbsp;часам склада ({locality}). Проверили{' '}
            <DateText date={longestAgo} />
          </p>
          <ul className="departures">
            {rows.map((row, index) => (
              <Row key={row.id} row={row} today={today} counted={index === 0} />
            ))}
          </ul>
        </div>
      )}
      <p className="departures-note">
        Нужно раньше или на&nbsp;другой склад? Позвоните: <a href={`tel:${phone.number}`}>{phone.text}</a>. {other}
      </p>
    </>
  );
}

type RowProps = { row: Departing; today: string; counted: boolean };

function Row({ row, today, counted }: RowProps) {
  const { calculator, short, warehouse, city, marketplaces, handOver, departure, days, unloading, limit } = row;
  return (
    <li>
      <details>
        <Summary>
          <span className="departures-name">
            <b>{warehouse}</b> {short}
          </span>{' '}
          <span className="departures-until">
            <span className="departures-hand">сдать </span>до{' '}
            <b>
              <MomentText moment={handOver} after={today} />
            </b>
            {/* Filled by a script, because it is outdated within a minute. */}
            {counted && <span className="departures-closes" data-module="countdown" data-until={handOver.at} />}
          </span>{' '}
          <span className="departures-way">
            {/* Each date is relative to the one before, so the month appears only once. */}
            в&nbsp;пути <MomentText moment={departure} after={handOver.date} />, на&nbsp;складе{' '}
            <DayText date={unloading.date} after={departure.date} />
          </span>
        </Summary>
        <p>
          Рейсы: {days.map((day) => weekdays[day]).join(', ')}. Разгрузка: {unloading.text}. {limit}. Маркетплейс:{' '}
          {marketplaces.join(', ')}.{city && ` Где: ${city}.`}
        </p>
        {calculator !== undefined && (
          <p>
            <a href={calculator}>Посчитать цену до&nbsp;склада {warehouse}</a>
          </p>
        )}
      </details>
    </li>
  );
}

/** @returns an empty text if the warehouse serves all marketplaces */
function shortMarketplaces(names: Departure['marketplaces'], { marketplaces }: Company): string {
  if (names.length === marketplaces.length) return '';
  const shortOf = (name: string) => marketplaces.find(({ text }) => text === name)?.short ?? name;
  return names.map(shortOf).join(', ');
}

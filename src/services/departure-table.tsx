import { DateText } from '../design/date-text.tsx';
import { Summary } from '../design/summary.tsx';
import { localTime, weekdays } from '../lib/calendar.ts';
import type { Company, Content, Departure } from '../model/content.ts';
import {
  type AskedDepartures,
  type DepartureFilter,
  DepartureFilterForm,
  filterDepartures,
} from './departure-filter.tsx';
import { type NearestDeparture, nearestDepartures } from './departures.ts';
import { ShortDayText, ShortMomentText } from './moment-text.tsx';
import './departure-table.css';

export type Timetable = {
  /** In the company's time zone. */
  today: string;
  rows: readonly NearestDeparture[];
  /** The town whose local time is meant. */
  locality: string;
  phone: Company['tollFree'];
  filter?: DepartureFilter;
};

type Choice = {
  /** Path of a service, to show only its departures. */
  service?: string;
  /** Maximum number of rows, the most urgent first. */
  most?: number;
  filter?: AskedDepartures;
};

/** @returns `undefined` if there are no departures */
export function timetable(content: Content, { service, most, filter: asked }: Choice = {}): Timetable | undefined {
  const { company, at } = content;
  const all = content.departures.filter((one) => service === undefined || one.service === service);
  if (all.length === 0) return undefined;
  const { workingHours, address, tollFree } = company;
  const { told, filter } = asked ? filterDepartures(all, content.calculator, asked) : { told: all };
  return {
    today: localTime(new Date(at), workingHours.timeZone).date,
    rows: nearestDepartures(told, workingHours, new Date(at)).slice(0, most),
    locality: address.locality,
    phone: tollFree,
    filter,
  };
}

/** Times are absolute, because cached pages are read later; a script adds the countdown. */
export function DepartureTable({ timetable: { today, rows, locality, phone, filter } }: { timetable: Timetable }) {
  const [longestAgo] = rows.map(({ checked }) => checked).sort();
  return (
    <>
      {filter && <DepartureFilterForm filter={filter} />}
      {longestAgo && (
        <div>
          <p className="departures-note">
            Даты на&nbsp;
            <DateText date={today} />, время по&nbsp;часам склада ({locality}). Проверили <DateText date={longestAgo} />
          </p>
          <ul className="departures" data-module="countdown">
            {rows.map((row) => (
              <Row key={row.id} row={row} today={today} />
            ))}
          </ul>
        </div>
      )}
      <p className="departures-note">
        Нужно раньше или на&nbsp;другой склад? Позвоните: <a href={`tel:${phone.number}`}>{phone.text}</a>. Если есть
        свободная машина, отправим отдельно.
      </p>
    </>
  );
}

function Row({ row, today }: { row: NearestDeparture; today: string }) {
  const { warehouse, city, marketplaces, handOver, departure, days, unloading, limit } = row;
  return (
    <li>
      <details>
        <Summary>
          <span className="departures-name">
            <b>{warehouse}</b> {shortMarketplaces(marketplaces)}
          </span>{' '}
          <span className="departures-until">
            <span className="departures-hand">сдать </span>до{' '}
            <b>
              <ShortMomentText moment={handOver} after={today} />
            </b>
            {/* A script fills it in, because it would be out of date within a minute. */}
            <span className="departures-closes" hidden />
          </span>{' '}
          <span className="departures-way">
            {/* Each date is relative to the one before, so the month appears only once. */}
            в&nbsp;пути <ShortMomentText moment={departure} after={handOver.date} />, на&nbsp;складе{' '}
            <ShortDayText date={unloading.date} after={departure.date} />
            <span className="departures-limit"> · {limit}</span>
          </span>
        </Summary>
        <p>
          <span className="departures-closes" hidden />
          Рейсы: {daysText(days)}. Разгрузка: {unloading.text}. {limit}. Маркетплейс: {marketplaces.join(', ')}.
          {city && ` Где: ${city}.`}
        </p>
      </details>
    </li>
  );
}

const shortNames: Record<Departure['marketplaces'][number], string> = {
  Wildberries: 'WB',
  Ozon: 'Ozon',
  'Яндекс Маркет': 'Маркет',
};

/** Empty if the warehouse serves all marketplaces. */
function shortMarketplaces(marketplaces: Departure['marketplaces']): string {
  if (marketplaces.length === Object.keys(shortNames).length) return '';
  return marketplaces.map((name) => shortNames[name]).join(', ');
}

/** `[0, 1, 2, 4]` -> `пн–ср, пт`; ranges start at three days. */
function daysText(days: readonly number[]): string {
  const rows: number[][] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const row = rows.at(-1);
    if (row?.at(-1) === day - 1) row.push(day);
    else rows.push([day]);
  }
  const name = (day: number | undefined) => weekdays[day ?? 0];
  return rows.flatMap((row) => (row.length > 2 ? `${name(row[0])}–${name(row.at(-1))}` : row.map(name))).join(', ');
}

import { DateText } from '../design/date-text.tsx';
import { localTime, weekdays } from '../lib/calendar.ts';
import type { Company, Content } from '../model/content.ts';
import { type NearestDeparture, nearestDepartures } from './departures.ts';
import { DayText, MomentText } from './moment-text.tsx';
import './departure-table.css';

/** The nearest departures, and what has to be known to read them. */
export type Timetable = {
  /** The day that they were computed for, by the company's calendar. */
  today: string;
  rows: readonly NearestDeparture[];
  /** The town whose time it is. */
  locality: string;
  phone: Company['tollFree'];
};

type Choice = {
  /** Path of a service, whose departures alone are told. */
  service?: string;
  /** So many of the rows, the most urgent ones. */
  most?: number;
};

/**
 * What a page tells about departures.
 *
 * @returns `undefined` where there are none to tell about
 */
export function timetable({ departures, company, at }: Content, { service, most }: Choice = {}): Timetable | undefined {
  const told = service === undefined ? departures : departures.filter((one) => one.service === service);
  if (told.length === 0) return undefined;
  const { workingHours, address, tollFree } = company;
  return {
    today: localTime(new Date(at), workingHours.timeZone).date,
    rows: nearestDepartures(told, workingHours, new Date(at)).slice(0, most),
    locality: address.locality,
    phone: tollFree,
  };
}

/**
 * Until when to hand goods over for the nearest truck to each warehouse. Wide screens show columns; narrow ones a
 * card for each warehouse, so that no date has to be scrolled to.
 */
export function DepartureTable({ timetable: { today, rows, locality, phone } }: { timetable: Timetable }) {
  return (
    <>
      {rows.length > 0 && (
        <table className="departures">
          <caption>Ближайшие рейсы, на которые мы ещё принимаем груз</caption>
          <thead>
            <tr>
              <th scope="col">Склад</th>
              <th scope="col">Сдать до</th>
              <th scope="col">Отправление</th>
              <th scope="col">Разгрузка</th>
              <th scope="col">Что везём</th>
              <th scope="col">Проверено</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} today={today} />
            ))}
          </tbody>
        </table>
      )}
      <p className="departures-note">
        Посчитано на <DateText date={today} /> с&nbsp;учётом выходных и&nbsp;праздников, время по&nbsp;часам нашего
        склада ({locality}). Нужна дата раньше или другой склад&nbsp;— позвоните:{' '}
        <a href={`tel:${phone.number}`}>{phone.text}</a>. Если есть свободная машина, отправим отдельным рейсом.
      </p>
    </>
  );
}

function Row({ row, today }: { row: NearestDeparture; today: string }) {
  const { warehouse, city, marketplaces, handOver, departure, days, unloading, limit, checked } = row;
  return (
    <tr>
      <th scope="row">
        {warehouse}
        <small>{[...marketplaces, ...(city ? [city] : [])].join(', ')}</small>
      </th>
      <td className="departures-until">
        <p>
          <MomentText moment={handOver} today={today} />
        </p>
      </td>
      <td className="departures-leaves">
        <p>
          <MomentText moment={departure} today={today} />
          <small>ходит {daysText(days)}</small>
        </p>
      </td>
      <td className="departures-unloading">
        <p>
          <DayText date={unloading.date} today={today} />
          <small>{unloading.text}</small>
        </p>
      </td>
      <td className="departures-limit">
        <p>{limit}</p>
      </td>
      <td className="departures-checked">
        <p>
          <DateText date={checked} />
        </p>
      </td>
    </tr>
  );
}

/** `[0, 1, 2, 4]` -> `пн–ср, пт`: weekdays in a row, from three of them on, are named by the first and the last. */
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

import { minuteMs } from '../lib/calendar.ts';

/** Milliseconds. */
const interval = 10_000;

/** To each entry's first `time`, by the visitor's clock. */
export function bind(list: HTMLElement): void {
  const entries = [...list.children].map((entry) => ({
    until: Date.parse(entry.querySelector('time')?.dateTime as string),
    places: entry.querySelectorAll<HTMLElement>('.departures-closes'),
  }));
  function tell(): void {
    for (const { until, places } of entries) {
      for (const place of places) {
        place.textContent = `приём ${timeLeft(until - Date.now())}`;
        place.hidden = false;
      }
    }
  }
  tell();
  setInterval(tell, interval);
}

/** `закроется через 1 дн. 18 ч`, without units that are zero. */
function timeLeft(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / minuteMs);
  if (minutes < 0) return 'закрыт';
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const parts =
    days > 0
      ? [
          [days, 'дн.'],
          [hours % 24, 'ч'],
        ]
      : [
          [hours, 'ч'],
          [minutes % 60, 'мин'],
        ];
  const told = parts.filter(([count]) => count !== 0).map(([count, unit]) => `${count}\u00A0${unit}`);
  return told.length > 0 ? `закроется через ${told.join(' ')}` : 'закроется через минуту';
}

import { minuteMs } from '../lib/durations.ts';

const intervalMs = 10_000;

/** Uses the visitor's clock. */
export function bind(element: HTMLElement): void {
  const until = Date.parse(element.dataset.until as string);
  function show(): void {
    element.textContent = timeLeft(until - Date.now());
  }
  show();
  setInterval(show, intervalMs);
}

/** `приём закроется через 1 дн. 18 ч`, without zero units */
function timeLeft(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / minuteMs);
  if (minutes < 0) return 'приём закрыт';
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const parts = [
    days > 0 && `${days}\u00A0дн.`,
    hours % 24 > 0 && `${hours % 24}\u00A0ч`,
    days === 0 && minutes % 60 > 0 && `${minutes % 60}\u00A0мин`,
  ];
  return `приём закроется через ${parts.filter(Boolean).join(' ') || 'минуту'}`;
}

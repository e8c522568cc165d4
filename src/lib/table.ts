import { minuteMs } from './calendar.ts';
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(cell));
    });
  }
  const line = (row: readonly string[]) => row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ');
  return cells.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** Removes control and bidi characters, which a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** `40 s`, `12 min`, `3 h 5 min`, `2 d` */
export function duration(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1) return `${Math.max(0, Math.round(ms / 1000))} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Wide characters take two columns. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** `2026-11-20 09:30Z` */
export function minute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')}Z`;
}

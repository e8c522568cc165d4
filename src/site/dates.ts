/** The start of a calendar date in a time zone, ISO 8601: `2026-11-20T00:00:00+03:00`. */
export function startOfDay(date: string, timeZone: string): string {
  return `${date}T00:00:00${offset(date, timeZone)}`;
}

/** The same as RSS has it (RFC 822 with the year in four digits): `Fri, 20 Nov 2026 00:00:00 +0300`. */
export function startOfDayRfc822(date: string, timeZone: string): string {
  const day = new Date(`${date}T00:00:00Z`).toUTCString().slice(0, 'Fri, 20 Nov 2026'.length);
  return `${day} 00:00:00 ${offset(date, timeZone).replace(':', '')}`;
}

/** `+03:00`, as it is at midnight UTC of that date. */
function offset(date: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(
    new Date(`${date}T00:00:00Z`),
  );
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}

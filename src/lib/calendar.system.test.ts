import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const program = `
  import { daysAfter, weekdayOf } from '${new URL('./calendar.ts', import.meta.url)}';
  import { formatDate } from '${new URL('./format.ts', import.meta.url)}';
  const date = '2026-11-23';
  console.log(JSON.stringify([weekdayOf(date), daysAfter(date, 7), formatDate(date)]));
`;

// Midnight in UTC is on the day before in western time zones, so a local date would differ there.
test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('a date is the same day when the process runs in %s', (TZ) => {
  const options = { env: { TZ }, encoding: 'utf8' } as const;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], options);
  expect(JSON.parse(printed)).toEqual([0, '2026-11-30', '23 ноября 2026 г.']);
});

import { expect, test } from '@jest/globals';
import { outage } from './outage.ts';

function recorded() {
  const reports: [error: string | undefined, failures: number][] = [];
  const { failed, over } = outage((error, failures) => reports.push([error?.message, failures]));
  return { reports, failed, over };
}

test('reports an outage at its first failure, and its end with the number of failures', () => {
  const { reports, failed, over } = recorded();
  for (const text of ['first', 'second', 'third']) failed(new Error(text));
  over();
  expect(reports).toEqual([
    ['first', 1],
    [undefined, 3],
  ]);
});

test('reports the next outage again, and counts its failures from one', () => {
  const { reports, failed, over } = recorded();
  failed(new Error('down'));
  over();
  failed('not an error');
  over();
  expect(reports.slice(2)).toEqual([
    ['not an error', 1],
    [undefined, 1],
  ]);
});

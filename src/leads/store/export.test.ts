import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import { bill, billLines, keptLead } from '../../tests/support/sample-leads.ts';
import { cellPhrases } from '../messages/desk-phrases.ts';
import { type ExcelDialect, leadsToCsv, leadsToJsonLines, rangeOf } from './export.ts';
import { type Lead, leadTitles } from './lead.ts';
import type { LeadEvent } from './lead-events.ts';

async function* each(leads: readonly Lead[]): AsyncGenerator<Lead> {
  yield* leads;
}

const excel = { timeZone: 'Europe/Moscow', phrases: ({ state }: Lead) => ({ state: `«${state}»` }) };

const csv = async (leads: readonly Lead[], dialect?: ExcelDialect) =>
  (await Array.fromAsync(leadsToCsv(each(leads), dialect))).join('');

/** Cells of a lead by their column. */
async function cellsOf(about: Partial<Lead>, dialect?: ExcelDialect): Promise<Record<string, string>> {
  const text = await csv([keptLead(about)], dialect);
  const { data } = Papa.parse<Record<string, string>>(text.slice(1), { header: true });
  return data[0] ?? {};
}

const events: LeadEvent[] = [
  { key: 'a', at: '2026-11-20T21:10:00.000Z', by: 'desk:Анна', eventName: 'take', text: '' },
  { key: 'b', at: '2026-11-20T21:11:00.000Z', by: 'desk:Борис', eventName: 'note', text: 'раз\n=1' },
];

const special = ['=', '+', '-', '@', '＝', ';', '"', "'", ',', '\t', '\r', '\n', '\r\n', ' ', '\u00a0', '\u200b'];
const part = fc.oneof(fc.constantFrom(...special), fc.string({ unit: 'grapheme', maxLength: 2 }));
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
/** What visitors and staff type is arbitrary. */
const anyLead = fc
  .record({
    ...{ name: fc.option(text), phone: fc.oneof(text, fc.constant('+79161234567')), phoneTyped: text },
    ...{ message: fc.option(text), page: text, attribution: fc.dictionary(text, text, { maxKeys: 2 }) },
    events: fc.array(
      fc.record({
        ...{ key: text, at: fc.constant('2026-11-20T09:10:00.000Z'), by: text.map((name) => `desk:${name}`), text },
        eventName: fc.constant('note' as const),
      }),
      { maxLength: 2 },
    ),
  })
  .map(keptLead);

const textsOf = ({ name, phone, phoneTyped, message, page, attribution, events }: Lead) => [
  ...[name ?? '', phone, phoneTyped, message ?? '', page],
  ...Object.entries(attribution).map(([key, value]) => JSON.stringify({ [key]: value }).slice(1, -1)),
  ...events.flatMap(({ by, text }) => [by.slice('desk:'.length), text]),
];

describe('CSV', () => {
  test('begins with a byte order mark and a header, and ends each line with CRLF', async () => {
    const header = `\ufeff${Object.keys(leadTitles).join(',')}\r\n`;
    expect(await csv([])).toBe(header);
    expect(await csv([keptLead({ message: 'раз' })])).toMatch(/^\ufeff(?:[^\r\n]+\r\n){2}$/);
  });

  test('holds every field of a lead, and leaves the cells of missing values empty', async () => {
    const { events: _, ...given } = keptLead();
    expect(await cellsOf({ signals: ['honeypot', 'no-origin'], calculation: bill, events })).toEqual({
      ...given,
      number: '12',
      takenAt: '',
      takenBy: '',
      attribution: '{"utm_source":"yandex"}',
      calculation: billLines.join('\n'),
      signals: 'honeypot no-origin',
      events: "2026-11-20T21:10:00.000Z desk:Анна: take\n2026-11-20T21:11:00.000Z desk:Борис: note раз\n'=1",
    });
    expect(await cellsOf({ name: null, message: null, attribution: {} })).toMatchObject({
      ...{ name: '', message: '', attribution: '', calculation: '', signals: '', events: '' },
    });
  });

  test('is in Russian for the desk, with semicolons and in the time zone of the company', async () => {
    const cells = await cellsOf(
      { name: 'раз;два', message: 'да,=1', takenAt: '2026-11-20T21:05:00.000Z', events },
      excel,
    );
    expect(Object.keys(cells)).toEqual(Object.values(leadTitles));
    expect(cells).toMatchObject({
      ...{ 'Когда пришла': '20.11.2026 13:05', 'Когда взяли': '21.11.2026 0:05', Состояние: '«waiting»' },
      ...{
        Имя: 'раз;два',
        Сообщение: "да,'=1",
        История: "21.11.2026 0:10 desk:Анна: take\n21.11.2026 0:11 desk:Борис: note раз\n'=1",
      },
    });
  });

  test.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    // Only the column of the phone is dialled.
    ['+79161234567', "'+79161234567"],
    ['цена\n=1', "цена\n'=1"],
    // Harmless.
    ['a=1, 1-2; нет', 'a=1, 1-2; нет'],
  ])('escapes formulas, and nothing else, with an apostrophe: the name %j becomes %j', async (name, cell) => {
    expect((await cellsOf({ name })).name).toBe(cell);
  });

  test('escapes a long run of line breaks quickly', async () => {
    const started = performance.now();
    await csv([keptLead({ message: `x${'\n'.repeat(400_000)}y` })]);
    // A quadratic scan of the run would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  describe('of arbitrary leads', () => {
    const phone = /^\+[1-9]\d{6,14}$/;
    const isSafe = (cell: string) => phone.test(cell) || !/^[\s\p{C}"]*[=+\-@＝＋－＠]/u.test(cell);
    const withoutApostrophes = (cell = '') => cell.replaceAll("'", '');

    test.each([
      ['commas', ',', /[;\t\r\n]/, undefined],
      ['semicolons, for the desk', ';', /[,;\t\r\n]/, { ...excel, phrases: cellPhrases({ presets: [] }, new Date()) }],
    ])(
      'with %s keeps every word and note, and no cell is a formula under any delimiter of a spreadsheet',
      async (...row) => {
        const [, delimiter, splits, dialect] = row;
        await fc.assert(
          fc.asyncProperty(fc.array(anyLead, { maxLength: 3 }), async (leads) => {
            const text = (await csv(leads, dialect)).slice(1);
            const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\r\n' });
            expect(errors).toEqual([]);
            // Without the header and the empty row after the last CRLF.
            expect(data.slice(1, -1).map((cells) => cells.length)).toEqual(
              leads.map(() => Object.keys(leadTitles).length),
            );
            for (const [index, lead] of leads.entries()) {
              const row = withoutApostrophes(data[index + 1]?.join('\n'));
              expect(textsOf(lead).filter((one) => !row.includes(withoutApostrophes(one)))).toEqual([]);
            }
            expect([...data.flat(), ...text.split(splits)].filter((cell) => !isSafe(cell))).toEqual([]);
          }),
          { numRuns: 200 },
        );
      },
    );
  });
});

test('JSON lines hold each lead exactly', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyLead, { maxLength: 3 }), async (leads) => {
      const lines = await Array.fromAsync(leadsToJsonLines(each(leads)));
      expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
      expect(lines.map((line) => JSON.parse(line))).toEqual(leads);
    }),
  ));

test.each([
  ['CSV', leadsToCsv],
  ['JSON lines', leadsToJsonLines],
])('the export to %s reads a lead only after the one before is written', async (_, format) => {
  let asked = 0;
  let written = 0;
  async function* three(): AsyncGenerator<Lead> {
    for (const number of [1, 2, 3]) {
      asked = number;
      yield keptLead({ number });
    }
  }
  for await (const line of format(three())) {
    if (line.includes('Анна')) written += 1;
    expect(asked).toBe(written);
  }
  expect(written).toBe(3);
});

const summer = '2026-07-01';
test.each([
  ['', '', { range: {} }],
  [summer, '', { range: { since: '2026-06-30T22:00:00.000Z' } }],
  [summer, summer, { range: { since: '2026-06-30T22:00:00.000Z', until: '2026-07-01T22:00:00.000Z' } }],
  ['2026-03-28', '2026-03-29', { range: { since: '2026-03-27T23:00:00.000Z', until: '2026-03-29T22:00:00.000Z' } }],
  ['2026-02-30', summer, { wrong: ['from'] }],
  ['0026-03-01', '9999-12-31', { wrong: ['from', 'to'] }],
  [summer, '2026-06-30', { wrong: ['to'] }],
])('the days from %j to %j become instants in the time zone of the company, or errors', (from, to, range) => {
  expect(rangeOf({ from, to }, 'Europe/Berlin')).toEqual(range);
});

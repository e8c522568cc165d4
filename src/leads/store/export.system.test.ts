import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import { bill, billLines, keptLead } from '../../testing/leads.ts';
import { leadsToCsv, leadsToJsonLines } from './export.ts';
import { type Lead, leadTitles } from './lead.ts';

const lead = (about: Partial<Lead> = {}): Lead =>
  keptLead({ number: 7, receipt: 'q2w3e4r5t6y7u8i9o0p1a2', receivedAt: '2026-11-20T09:08:07.006Z', ...about });

const now = new Date('2026-11-20T09:20:08.000Z');

async function* each(leads: readonly Lead[]): AsyncGenerator<Lead> {
  yield* leads;
}

async function collect(lines: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const line of lines) all += line;
  return all;
}

const csv = (...leads: Lead[]) => collect(leadsToCsv(each(leads)));

const desk = { timeZone: 'Europe/Moscow', words: ({ state }: Lead) => ({ state: `«${state}»` }) };

/** Cells of the first lead by their column. */
async function cellsOf(about: Partial<Lead>): Promise<Record<string, string>> {
  const { data } = Papa.parse<Record<string, string>>((await csv(lead(about))).slice(1), { header: true });
  return data[0] ?? {};
}

describe('CSV', () => {
  test('begins with the mark for Excel and a header, and ends each line with CRLF', async () => {
    expect(await csv()).toBe(`\ufeff${Object.keys(leadTitles).join(',')}\r\n`);
    const text = await csv(lead({ message: 'раз' }), lead({ message: 'два' }));
    expect(text.match(/\r\n/g)).toHaveLength(3);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  test('holds every field of a lead', async () => {
    expect(
      await cellsOf({
        ...{ signals: ['honeypot', 'no-origin'], calculation: bill, state: 'quarantined' },
        notes: [
          { key: 'a', at: '2026-11-20T09:10:00.000Z', by: 'Анна', text: '=1' },
          { key: 'b', at: '2026-11-20T09:11:00.000Z', by: 'Борис', text: 'раз\n=1' },
        ],
      }),
    ).toMatchObject({
      number: '7',
      state: 'quarantined',
      receivedAt: '2026-11-20T09:08:07.006Z',
      takenAt: '',
      takenBy: '',
      preset: 'consultation',
      name: 'Анна',
      phone: '+79161234567',
      phoneTyped: '8 (916) 123-45-67 доб. 12',
      message: 'Добрый день!\nСколько стоит упаковка?',
      calculation: billLines.join('\n'),
      page: '/services/packaging',
      attribution: '{"utm_source":"yandex"}',
      consent: 'abc',
      signals: 'honeypot no-origin',
      notes: "2026-11-20T09:10:00.000Z Анна: =1\n2026-11-20T09:11:00.000Z Борис: раз\n'=1",
      receipt: 'q2w3e4r5t6y7u8i9o0p1a2',
    });
  });

  test('for the desk is in Russian, with semicolons and by the clock of the company, and is run by none either', async () => {
    const notes = [{ key: 'a', at: '2026-11-20T21:10:00.000Z', by: 'Анна', text: 'да' }];
    const one = lead({ name: 'раз;два', message: 'да,=1', takenAt: '2026-11-20T21:05:00.000Z', notes });
    const text = await collect(leadsToCsv(each([one]), desk));
    expect(text).toMatch(/^\ufeff№;Состояние;Когда пришла;/);
    expect(text).toContain(';"раз;два";+79161234567;');
    const { data } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, delimiter: ';' });
    expect(Object.keys(data[0] ?? {})).toEqual(Object.values(leadTitles));
    expect(data[0]).toMatchObject({
      ...{ 'Когда пришла': '20.11.2026 12:08', 'Когда взяли': '21.11.2026 0:05', Сообщение: "да,'=1" },
      ...{ Заметки: '21.11.2026 0:10 Анна: да', Состояние: '«new»' },
    });
  });

  test('holds quotes, commas and line breaks as they are', async () => {
    const message = 'он сказал: "да", и\nушёл, ""';
    expect((await cellsOf({ message })).message).toBe(message);
  });

  test('leaves out what is not there', async () => {
    const cells = await cellsOf({ name: null, message: null, attribution: {} });
    expect([cells.name, cells.message, cells.attribution]).toEqual(['', '', '']);
  });

  test.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' \u00a0=1', " \u00a0'=1"],
    ['\u200b=1', "\u200b'=1"],
    ['"=1"', '"\'=1"'],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\tx', "'\tx"],
    ['цена\n=1', "цена\n'=1"],
    ['да;=1', "да;'=1"],
    ['да; "=1', 'да; "\'=1'],
    ['+79161234567', "'+79161234567"],
    // harmless ones stay
    ['a=1', 'a=1'],
    ['1-2', '1-2'],
    ['да; нет', 'да; нет'],
  ])('a name of %j becomes %j', async (name, cell) => {
    expect((await cellsOf({ name })).name).toBe(cell);
  });

  test('a phone stays as it is while it is one', async () => {
    expect((await cellsOf({ phone: '+79161234567' })).phone).toBe('+79161234567');
    expect((await cellsOf({ phone: '+7916=1' })).phone).toBe("'+7916=1");
  });

  test('a long row of blanks costs no time', async () => {
    const started = performance.now();
    await csv(lead({ message: `x${'\n'.repeat(400_000)}y` }));
    // Whoever looked at the rest of the row from each blank would need minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  describe('whatever is in the leads', () => {
    const formula = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      ';',
      '"',
      "'",
      ',',
      '\t',
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\u00a0',
      '\u200b',
    );
    const text = fc
      .array(fc.oneof(formula, fc.string({ unit: 'grapheme', maxLength: 2 })), { maxLength: 12 })
      .map((parts) => parts.join(''));
    const leads = fc.array(
      fc
        .record({
          name: fc.option(text),
          phone: fc.oneof(text, fc.constant('+79161234567')),
          phoneTyped: text,
          message: fc.option(text),
          page: text,
          preset: text,
          attribution: fc.dictionary(text, text),
          receipt: text,
          notes: fc.array(fc.record({ key: text, at: fc.constant(now.toISOString()), by: text, text }), {
            maxLength: 2,
          }),
        })
        .map(lead),
      { maxLength: 5 },
    );
    const dangerous = /^[\s\p{C}"]*[=+\-@＝＋－＠]/u;
    const phone = /^\+[1-9]\d{6,14}$/;

    test.each([
      ['commas', ',', /[;\t\r\n]/, undefined],
      ['semicolons, for the desk', ';', /[,;\t\r\n]/, desk],
    ])(
      'with %s the rows and columns stay, the words too, and no cell is a formula, however a spreadsheet splits',
      async (_, delimiter, splits, forWhom) => {
        await fc.assert(
          fc.asyncProperty(leads, async (all) => {
            const text = (await collect(leadsToCsv(each(all), forWhom))).slice(1);
            const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\r\n' });
            expect(errors).toEqual([]);
            expect(data).toHaveLength(all.length + 2); // the header, and nothing after the last CRLF
            expect(data.at(-1)).toEqual(['']);
            all.forEach((lead, row) => {
              const cells = data[row + 1] ?? [];
              expect(cells).toHaveLength(Object.keys(leadTitles).length);
              for (const cell of cells) expect(phone.test(cell) || !dangerous.test(cell)).toBe(true);
              expect(cells[Object.keys(leadTitles).indexOf('message')]?.replaceAll("'", '')).toBe(
                (lead.message ?? '').replaceAll("'", ''),
              );
            });
            for (const piece of text.split(splits)) expect(phone.test(piece) || !dangerous.test(piece)).toBe(true);
          }),
          { numRuns: 500 },
        );
      },
    );
  });
});

test('JSON lines hold each lead exactly', async () => {
  const leads = [lead(), lead({ number: 8, name: null, message: '=1\n"\u2028' })];
  const lines = (await collect(leadsToJsonLines(each(leads)))).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual(leads);
});

describe('both exports', () => {
  test.each([
    ['CSV', leadsToCsv],
    ['JSON lines', leadsToJsonLines],
  ])('%s asks for a lead only when the one before is written', async (_, format) => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Lead> {
      for (;;) yield lead({ number: ++taken });
    }
    let written = 0;
    for await (const line of format(endless())) {
      expect(taken).toBeLessThanOrEqual(written + 1);
      if (line.includes('Анна')) written++;
      if (written === 50) break;
    }
    expect(taken).toBe(50);
  });
});

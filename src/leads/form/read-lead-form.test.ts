import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { campaignLimits } from '../../model/campaign.ts';
import { type LeadFormPreset, maxLengths } from '../store/lead-fields.ts';
import { type LeadFormReading, newKey, readAttribution, readLeadForm, renderedAt } from './read-lead-form.ts';

const presets: LeadFormPreset[] = [
  { slug: 'consultation', name: true, message: 'optional' },
  { slug: 'question', name: true, message: 'required' },
  { slug: 'bonus', name: false, message: 'none' },
];
const good = {
  preset: 'consultation',
  name: 'Анна',
  phone: '8 (916) 123-45-67',
  message: 'Добрый день!',
  consent: 'yes',
  key: 'abcdefgh_-12',
  page: '/services/packaging',
};

function read(fields: Record<string, string>, more: [string, string][] = []): LeadFormReading {
  return readLeadForm(new URLSearchParams([...Object.entries({ ...good, ...fields }), ...more]), presets);
}

/** The stored words of a form, or the names of its invalid fields. */
function keptOf(fields: Record<string, string>) {
  const reading = read(fields);
  return reading.ok ? reading.lead : reading.errors.map(({ field }) => field);
}

describe('a form', () => {
  test('becomes a lead without its unknown fields, and the first value of a repeated field counts', () => {
    const { preset: _, ...words } = good;
    const reading = read({ 'attribution.yclid': '12', calculation: 'Итого: 1 ₽', 'cf-turnstile-response': 'token' }, [
      ['phone', '1'],
      ['consent', 'no'],
      ['name[a]', 'Пётр'],
      ['__proto__', 'x'],
      ['receipt', 'x'],
    ]);
    const { consent, ...said } = { ...words, preset: 'consultation', phone: '+79161234567' };
    expect(reading).toEqual({
      ok: true,
      values: expect.objectContaining({ ...good, consent: consent === 'yes' }),
      signals: [],
      renderedAt: undefined,
      token: 'token',
      consentVersion: '',
      lead: { ...said, phoneTyped: good.phone, attribution: { yclid: '12' } },
    });
  });

  test('reports every mistake in the order of its fields, and keeps the typed values', () => {
    const typed = { name: ` ${'я'.repeat(101)}\u0000 `, phone: ' 8 916 ', message: '\r\n\t ' };
    const hidden = { 'attribution.utm_source': 'vk', page: 'https://elsewhere.example/', key: '!' };
    const reading = read({ ...typed, ...hidden, preset: 'question', consent: 'on' });
    expect(reading).toMatchObject({
      ok: false,
      errors: [
        { field: 'phone', message: expect.stringContaining('10 цифр') },
        { field: 'name', message: 'Сократите имя до 100 знаков' },
        { field: 'message', message: 'Напишите ваш вопрос' },
      ],
      values: { ...typed, preset: 'question', consent: true, attribution: { utm_source: 'vk' }, page: '/' },
    });
    expect(renderedAt(reading.values.key)).toBeInstanceOf(Date);
    expect(keptOf({ phone: '', consent: '' })).toEqual(['phone', 'consent']);
  });

  const letters = (count: number) => 'я'.repeat(count);
  test.each<[string, Record<string, string>, object]>([
    ['a name of invisible characters is stored as null', { name: '\u200b\u2060\u0000\u3164 ' }, { name: null }],
    ['a name may have 100 characters', { name: '𝒜'.repeat(100) }, { name: '𝒜'.repeat(100) }],
    [
      'a phone is stored both as E.164 and as typed',
      { phone: ' 8 (495) 123-45-67\tдоб. 12, после 18:00 ' },
      { phone: '+74951234567', phoneTyped: '8 (495) 123-45-67 доб. 12, после 18:00' },
    ],
    [
      'a message keeps its line breaks',
      { message: '\r\n1\r\n\r\n2\r3\u20284\u20295\u00856\u0000\n' },
      { message: '1\n\n2\n3\n4\n5\n6' },
    ],
    ['a message may have 4,000 characters', { message: '𝒜'.repeat(4_000) }, { message: '𝒜'.repeat(4_000) }],
    ['a message of 4,001 characters is refused', { message: letters(4_001) }, ['message']],
    [
      'a message that the preset does not ask for is cut between characters',
      { preset: 'bonus', message: `${letters(3_999)}😀😀` },
      { message: `${letters(3_999)}😀` },
    ],
    [
      'a form with an unknown preset gets the general one',
      { preset: '__proto__' },
      { preset: 'request', name: 'Анна' },
    ],
    ['a consent of «on» counts as a tick', { consent: 'on' }, { name: 'Анна' }],
    ['a consent of «true» does not count as a tick', { consent: 'true' }, ['consent']],
  ])('%s', (_, fields, kept) => {
    expect(keptOf(fields)).toMatchObject(kept);
  });

  test('reports a filled honeypot as a signal, never as a mistake', () => {
    for (const website of ['http://spam.example', ' ']) {
      expect(read({ website })).toMatchObject({ ok: true, signals: ['honeypot'] });
    }
  });

  test('carries a calculation of up to 2,000 characters, and drops a longer one', () => {
    expect(read({ calc: 'x'.repeat(2_000) }).values.calc).toHaveLength(2_000);
    expect(read({ calc: 'x'.repeat(2_001) }).values.calc).toBe('');
  });

  test.each([
    ['/blog?page=2#end', '/blog'],
    ['/склад', '/%D1%81%D0%BA%D0%BB%D0%B0%D0%B4'],
    ['/"><script>', '/%22%3E%3Cscript%3E'],
    ['//evil.example/', '/'],
    ['https://evil.example/', '/'],
    [`/${'a'.repeat(500)}`, '/'],
  ])('keeps only a path of this site as the page it was opened on: %j becomes %j', (page, kept) => {
    expect(keptOf({ page })).toMatchObject({ page: kept });
  });
});

describe('a key', () => {
  test('is unique, and encodes the millisecond at which its form was rendered', () => {
    for (const time of ['1970-01-01T00:00:00.000Z', '2026-11-20T09:00:00.123Z', '2999-12-31T23:59:59.999Z']) {
      const key = newKey(new Date(time));
      expect(renderedAt(key)?.toISOString()).toBe(time);
      expect(keptOf({ key })).toMatchObject({ key });
      expect(newKey(new Date(time))).not.toBe(key);
    }
  });

  test.each(['short', 'a'.repeat(65), 'ключ-ключ', 'abcdefgh\n'])('is replaced when it is malformed: %j', (key) => {
    expect(renderedAt(read({ key }).values.key)).toBeInstanceOf(Date);
  });

  test.each([good.key, '0mi5x2k9q_short', `0MI5X2K9Q_${'a'.repeat(22)}`, `${'z'.repeat(9)}_${'a'.repeat(23)}`])(
    'has no render time when its format is not that of this server: %s',
    (key) => {
      expect(renderedAt(key)).toBeUndefined();
    },
  );
});

describe('the campaign', () => {
  const long = 'n'.repeat(40);
  const campaignOf = (pairs: [string, string][], counted = false) => readAttribution(pairs, counted);

  test('limits names and values in length, joins the values of a repeated name, and keeps twenty names', () => {
    const odd: [string, string][] = [
      ['utm_source', ' yan\u0000dex\r\n'],
      ['utm_source', 'again'],
      [long, 'я'.repeat(201)],
      [`${long}n`, 'name too long'],
      ['UTM_Term', 'upper case'],
      ['empty', ' '],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ];
    const kept = campaignOf(odd);
    expect(Object.entries(kept)).toEqual([
      ['utm_source', 'yandex,again'],
      [long, 'я'.repeat(200)],
      ['utm_term', 'upper case'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    const many = Array.from({ length: 30 }, (_, n): [string, string] => [`n${n}`, 'x']);
    expect(Object.keys(campaignOf(many))).toEqual(many.slice(0, 20).map(([name]) => name));
  });

  test('leaves out the fields of the form and of the calculator', () => {
    const own: [string, string][] = [
      ['preset', 'x'],
      ['calc', 'x'],
      ['from', 'card'],
    ];
    expect(campaignOf(own)).toEqual({ from: 'card' });
    expect(campaignOf([...own, ['units', '1'], ['mp', 'wb']])).toEqual({ from: 'card' });
    expect(campaignOf([['mp', 'wb']])).toEqual({ mp: 'wb' });
    expect(campaignOf([['mp', 'wb']], true)).toEqual({});
  });
});

test('any submitted form becomes a tidy lead within the limits, or returns errors and every typed value', () => {
  const odd = ['\u0000', '\r\n', '\n', '\t', '\u202e', '\ud800', '\u2028', '<script>', '=1', '\u0085'];
  const anything = fc.oneof(
    fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 1 }), fc.constantFrom(...odd))),
    fc.array(
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
      { maxLength: 300 },
    ),
  );
  const text = anything.map((parts) => parts.join(''));
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(good), 'website', '__proto__', 'attribution.__proto__', 'attribution.a'),
    text.map((end) => `attribution.${end}`),
  );
  const { name: _name, message: _message, ...needed } = good;
  // Random fields alone would never be accepted.
  const begins = fc.constantFrom(Object.entries(needed), []);

  /** Expects NFC within the limit, without control characters and lone surrogates. */
  function expectTidy(line: string, limit: number) {
    expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    expect([line.isWellFormed(), line.normalize('NFC')]).toEqual([true, line]);
    expect([...line].length).toBeLessThanOrEqual(limit);
  }

  let accepted = 0;
  fc.assert(
    fc.property(begins, fc.array(fc.tuple(name, text), { maxLength: 8 }), (begin, wild) => {
      const form = new URLSearchParams([...begin, ...wild]);
      const reading = readLeadForm(form, presets);
      if (!reading.ok) {
        expect(reading.errors).not.toEqual([]);
        const { name, phone, message } = reading.values;
        expect([name, phone, message]).toEqual(['name', 'phone', 'message'].map((field) => form.get(field) ?? ''));
        return;
      }
      accepted += 1;
      const { lead } = reading;
      expectTidy(lead.name ?? '', maxLengths.line);
      expectTidy(lead.phoneTyped, maxLengths.line);
      expectTidy((lead.message ?? '').replaceAll('\n', ''), maxLengths.message);
      expect(lead.page).toMatch(/^\/(?!\/)[!-~]{0,499}$/);
      for (const [key, value] of Object.entries(lead.attribution)) {
        expect(key).toMatch(/^[a-z0-9_]{1,40}$/);
        expectTidy(value, campaignLimits.value);
      }
    }),
    { numRuns: 200 },
  );
  expect(accepted).toBeGreaterThan(20);
});

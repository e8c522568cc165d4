import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limits, newKey, type RequestPreset, type RequestReading, readRequest, renderedAt } from './request.ts';

const presets: RequestPreset[] = [
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

function read(fields: Record<string, string> | [string, string][]): RequestReading {
  const own = Array.isArray(fields) ? fields : Object.entries({ ...good, ...fields });
  return readRequest(new URLSearchParams(own), presets);
}

function leadOf(reading: RequestReading) {
  if (!reading.ok) throw new Error(`Refused: ${JSON.stringify(reading.errors)}`);
  return reading.words;
}

function errorsOf(reading: RequestReading) {
  if (reading.ok) throw new Error('Accepted');
  return reading.errors;
}

const fieldsOf = (reading: RequestReading) => errorsOf(reading).map(({ field }) => field);

test('a whole form becomes a lead', () => {
  const fields = { 'attribution.utm_source': 'yandex', 'attribution.yclid': '12', calculation: 'Итого: 1 ₽' };
  expect(read({ ...fields, 'cf-turnstile-response': 'token' })).toEqual({
    ok: true,
    values: expect.anything(),
    signals: [],
    renderedAt: undefined,
    token: 'token',
    words: {
      key: 'abcdefgh_-12',
      preset: 'consultation',
      name: 'Анна',
      phone: '+79161234567',
      phoneTyped: '8 (916) 123-45-67',
      message: 'Добрый день!',
      page: '/services/packaging',
      attribution: { utm_source: 'yandex', yclid: '12' },
    },
  });
});

describe('errors', () => {
  test('come in the order of the form, each with its field and what to do', () => {
    expect(
      read([
        ['preset', 'question'],
        ['name', 'я'.repeat(101)],
      ]),
    ).toMatchObject({
      ok: false,
      errors: [
        { field: 'phone', message: 'Укажите телефон, например 8 916 123-45-67' },
        { field: 'name', message: 'Сократите имя до 100 знаков' },
        { field: 'message', message: 'Напишите ваш вопрос' },
        { field: 'consent', message: expect.stringMatching(/^Отметьте согласие/) },
      ],
      values: expect.anything(),
    });
  });

  test('keep what was typed exactly as it was typed', () => {
    const typed = { name: '  Анна\u0000 ', phone: ' 8 916 ', message: 'раз\r\n\tдва ', consent: 'on' };
    const reading = read({ ...typed, 'attribution.utm_source': 'vk', page: 'https://elsewhere.example/', key: '!' });
    expect(reading).toMatchObject({
      ok: false,
      values: { ...typed, preset: 'consultation', consent: true, attribution: { utm_source: 'vk' }, page: '/' },
    });
    expect(!reading.ok && renderedAt(reading.values.key)).toBeInstanceOf(Date);
  });

  test.each(['', 'unknown', '__proto__', 'Consultation', 'bonus\nbonus'])(
    'of a form that is there no more is taken as a general one: %j',
    (preset) => {
      expect(leadOf(read({ preset }))).toMatchObject({ preset: 'request', name: 'Анна' });
    },
  );
});

describe('name', () => {
  test.each(['', ' \u00a0', '\u200b\u2060', '\u0000\u0007', '\u3164'])(
    'nothing visible is no name, and none is needed: %j',
    (name) => {
      expect(leadOf(read({ name })).name).toBeNull();
    },
  );

  test('is one tidy line in composed form', () => {
    expect(leadOf(read({ name: ' Андре\u0438\u0306 \r\n\t\u202eПетров\u0000\u009b ' })).name).toBe('Андрей Петров');
  });

  test('one character is enough, a hundred are not too many, in whatever script', () => {
    expect(leadOf(read({ name: 'Я' })).name).toBe('Я');
    expect(leadOf(read({ name: '𝒜'.repeat(100) })).name).toBe('𝒜'.repeat(100));
    expect(errorsOf(read({ name: 'я'.repeat(101) }))).toEqual([
      { field: 'name', message: 'Сократите имя до 100 знаков' },
    ]);
    expect(fieldsOf(read({ name: 'я'.repeat(10_000) }))).toEqual(['name']);
  });

  test('is not asked by a preset without it, and kept as far as it fits if it comes', () => {
    expect(leadOf(read({ preset: 'bonus', name: '' })).name).toBeNull();
    expect(leadOf(read({ preset: 'bonus', name: 'я'.repeat(200) })).name).toBe('я'.repeat(100));
  });
});

describe('phone', () => {
  test('keeps what E.164 cannot say', () => {
    const lead = leadOf(read({ phone: ' 8 (495) 123-45-67\tдоб. 12, после 18:00 ' }));
    expect(lead).toMatchObject({ phone: '+74951234567', phoneTyped: '8 (495) 123-45-67 доб. 12, после 18:00' });
  });

  test('of letters or of an endless row of digits is one error', () => {
    expect(fieldsOf(read({ phone: 'позвоните' }))).toEqual(['phone']);
    expect(fieldsOf(read({ phone: '8'.repeat(10_000) }))).toEqual(['phone']);
  });
});

describe('message', () => {
  test('keeps its lines', () => {
    expect(leadOf(read({ message: '\r\nраз\r\n\r\nдва\rтри\u2028четыре\u2029пять\u0085шесть\u0000\n' })).message).toBe(
      'раз\n\nдва\nтри\nчетыре\nпять\nшесть',
    );
  });

  test('is asked for only by a preset that requires it', () => {
    expect(leadOf(read({ message: ' ' })).message).toBeNull();
    expect(fieldsOf(read({ preset: 'question', message: ' \u200b\n' }))).toEqual(['message']);
  });

  test('may have 4,000 characters', () => {
    expect(leadOf(read({ message: '𝒜'.repeat(4_000) })).message).toHaveLength(8_000);
    expect(fieldsOf(read({ message: 'я'.repeat(4_001) }))).toEqual(['message']);
    expect(leadOf(read({ preset: 'bonus', message: 'я'.repeat(4_001) })).message).toHaveLength(4_000);
  });

  test('never shows half a character', () => {
    expect(leadOf(read({ preset: 'bonus', message: `${'я'.repeat(3_999)}😀😀` })).message).toBe(
      `${'я'.repeat(3_999)}😀`,
    );
    const fields = new URLSearchParams(Object.entries(good));
    const get = fields.get.bind(fields);
    fields.get = (name) => (name === 'message' ? 'а\ud800б' : get(name));
    expect(leadOf(readRequest(fields, presets)).message).toBe('а\ufffdб');
  });
});

describe('consent', () => {
  test.each(['yes', 'on'])('%s is consent', (consent) => {
    expect(read({ consent }).ok).toBe(true);
  });

  test.each(['', 'no', 'true', '0', 'YES'])('%j is none', (consent) => {
    expect(fieldsOf(read({ consent }))).toEqual(['consent']);
  });
});

describe('key', () => {
  test.each(['', 'short', 'a'.repeat(65), 'with space', 'ключ-ключ', 'abcdefgh\n'])(
    'a bad one is replaced, never refused: %j',
    (key) => {
      const one = leadOf(read({ key }));
      expect(one.key).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(leadOf(read({ key })).key).not.toBe(one.key);
    },
  );

  test('tells to the millisecond when its form was rendered', () => {
    for (const time of ['1970-01-01T00:00:00.000Z', '2026-11-20T09:00:00.123Z', '2999-12-31T23:59:59.999Z']) {
      const key = newKey(new Date(time));
      expect(renderedAt(key)?.toISOString()).toBe(time);
      expect(leadOf(read({ key })).key).toBe(key);
    }
    const before = Date.now();
    const rendered = renderedAt(newKey())?.getTime() ?? 0;
    expect(rendered).toBeGreaterThanOrEqual(before);
    expect(rendered).toBeLessThanOrEqual(Date.now());
  });

  test('is of its own however many are made in one moment', () => {
    const now = new Date();
    expect(new Set(Array.from({ length: 1000 }, () => newKey(now))).size).toBe(1000);
  });

  test.each([
    '',
    'abcdefgh_-12',
    'AAAAAAAAAAAAAAAAAAAAAA',
    '0mi5x2k9q_short',
    `0mi5x2k9q${'a'.repeat(22)}`,
    `0MI5X2K9Q_${'a'.repeat(22)}`,
    `${'z'.repeat(9)}_${'a'.repeat(23)}`,
  ])('of another make tells nothing: %j', (key) => {
    expect(renderedAt(key)).toBeUndefined();
  });
});

describe('page', () => {
  test.each([
    ['/services/packaging', '/services/packaging'],
    ['/blog?page=2#end', '/blog'],
    ['/склад', '/%D1%81%D0%BA%D0%BB%D0%B0%D0%B4'],
    ['/a/../b', '/b'],
    ['/"><script>', '/%22%3E%3Cscript%3E'],
    ['', '/'],
    ['services', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/a/..//evil.example', '/'],
    ['\t//evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    [`/${'a'.repeat(499)}`, `/${'a'.repeat(499)}`],
    [`/${'a'.repeat(500)}`, '/'],
  ])('%j is kept as %j', (page, kept) => {
    expect(leadOf(read({ page })).page).toBe(kept);
  });
});

describe('attribution', () => {
  test('takes bounded names and values and drops the rest', () => {
    const long = 'n'.repeat(40);
    expect(
      leadOf(
        read({
          'attribution.utm_source': ' yan\u0000dex\r\n',
          [`attribution.${long}`]: 'я'.repeat(201),
          [`attribution.${long}n`]: 'name too long',
          'attribution.UTM_Term': 'upper case',
          'attribution.a.b': 'nested',
          'attribution.': 'nameless',
          'attribution.empty': ' ',
          attribution: 'bare',
        }),
      ).attribution,
    ).toEqual({ utm_source: 'yandex', [long]: 'я'.repeat(200), utm_term: 'upper case' });
  });

  test('takes the first twenty', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`attribution.n${n}`, 'x']));
    expect(Object.keys(leadOf(read(many)).attribution)).toEqual(Array.from({ length: 20 }, (_, n) => `n${n}`));
  });

  test('touches no prototype', () => {
    const { attribution } = leadOf(read({ 'attribution.__proto__': 'x', 'attribution.constructor': 'y' }));
    expect(Object.getPrototypeOf(attribution)).toBe(Object.prototype);
    expect(Object.entries(attribution)).toEqual([['constructor', 'y']]);
  });
});

describe('signals', () => {
  test('a filled trap is a signal and never an error', () => {
    for (const website of ['http://spam.example', ' ']) {
      expect(read({ website })).toMatchObject({ ok: true, signals: ['honeypot'] });
    }
    expect(read({ website: '' })).toMatchObject({ ok: true, signals: [] });
  });
});

describe('whatever is sent', () => {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 1 }) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '\u0000',
        '\r\n',
        '\n',
        '\t',
        '\u202e',
        '\ud800',
        '\u2028',
        '<script>',
        '=1',
        '\u0085',
      ),
    },
  );
  const anything = fc.oneof(
    fc.array(unit, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 6_000, size: 'max' }),
  );
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(good), 'website', '__proto__', 'attribution.__proto__', 'attribution.a', 'name[a]'),
    fc.string().map((text) => `attribution.${text}`),
    anything,
  );
  // Half of them start from a valid form; otherwise none would be accepted.
  const fields = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(name, anything), { maxLength: 40 }))
    .chain(([whole, wild]) => {
      const tame = Object.entries(whole ? good : {});
      return fc.shuffledSubarray([...wild, ...tame] as [string, string][], { minLength: wild.length + tame.length });
    });

  /** NFC, within the limit, no control characters except line ends, no lone surrogates. */
  function expectTidy(text: string, limit: number, control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u) {
    expect(text).not.toMatch(control);
    expect(text.isWellFormed()).toBe(true);
    expect(text.normalize('NFC')).toBe(text);
    expect([...text].length).toBeLessThanOrEqual(limit);
  }

  test('it becomes a tidy lead within bounds, or errors with every word kept', () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(fields, (pairs) => {
        const form = new URLSearchParams(pairs);
        const reading = readRequest(form, presets);
        if (!reading.ok) {
          refused++;
          expect(reading.errors.length).toBeGreaterThan(0);
          for (const field of ['name', 'phone', 'message'] as const) {
            expect(reading.values[field]).toBe(form.get(field) ?? '');
          }
          return;
        }
        accepted++;
        const { words: lead } = reading;
        expectTidy(lead.name ?? '', limits.name);
        expectTidy(lead.phoneTyped, limits.phone);
        expectTidy((lead.message ?? '').replaceAll('\n', ''), limits.message);
        expect(lead.phone).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(lead.key).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
        expect(lead.page).toMatch(/^\/(?!\/)[!-~]{0,499}$/);
        expect(Object.keys(lead.attribution).length).toBeLessThanOrEqual(limits.attributionCount);
        for (const [key, value] of Object.entries(lead.attribution)) {
          expect(key).toMatch(/^[a-z0-9_]{1,40}$/);
          expectTidy(value, limits.attributionValue);
        }
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  }, 60_000);
});

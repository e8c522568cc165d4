import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type RequestPreset, readRequest } from './request.ts';
import {
  type Assessment,
  assess,
  type Circumstances,
  isDoubtful,
  points,
  quarantine,
  type SpamSignal,
  scoreOf,
  threshold,
  type Words,
} from './spam.ts';
import { legitimate, type Sample, spam, unseen } from './spam-corpus.ts';

const now = new Date('2026-11-20T09:00:00Z');
const quiet: Circumstances = {
  signals: [],
  renderedAt: new Date(now.getTime() - 60_000),
  now,
  recent: { samePhone: 0, sameMessage: 0 },
};
const words: Words = { name: 'Анна', phone: '+79161234567', message: 'Добрый день!' };

const signalsOf = (about: Partial<Words>, circumstances: Partial<Circumstances> = {}) =>
  assess({ ...words, ...about }, { ...quiet, ...circumstances }).signals;
const saying = (message: string) => signalsOf({ message });

describe('the corpus', () => {
  const presets: RequestPreset[] = [
    { slug: 'request', name: true, message: 'optional' },
    { slug: 'question', name: true, message: 'required' },
    { slug: 'bonus', name: false, message: 'none' },
  ];

  /** `undefined`: the form was not even accepted. */
  function judge([name, phone, message, about = {}]: Sample): Assessment | undefined {
    const { preset = 'request', outside = [], seconds = 60, samePhone = 0, sameMessage = 0 } = about;
    const fields = new URLSearchParams({ preset, name, phone, message, consent: 'yes' });
    const reading = readRequest(fields, presets, {
      consent: { version: '1', hash: 'abc' },
      calculation: null,
      signals: [],
    });
    if (!reading.ok) return undefined;
    return assess(reading.lead, {
      signals: outside,
      renderedAt: seconds === null ? undefined : new Date(now.getTime() - seconds * 1000),
      now,
      recent: { samePhone, sameMessage },
    });
  }

  const leads = [...Object.values(legitimate).flat(), ...unseen.legitimate];
  const junk = [...Object.values(spam).flat(), ...unseen.spam];
  const quarantined = (samples: readonly Sample[]) => samples.filter((sample) => judge(sample)?.quarantined);
  const caught = (samples: readonly Sample[]) =>
    samples.filter((sample) => (judge(sample)?.score ?? threshold) >= threshold);
  const doubted = (samples: readonly Sample[]) => samples.filter((sample) => isDoubtful(judge(sample)?.signals ?? []));

  test('is large, and no sample is in it twice', () => {
    expect(leads.length).toBeGreaterThanOrEqual(150);
    expect(junk.length).toBeGreaterThanOrEqual(100);
    const all = [...leads, ...junk].map(([name, phone, message]) => JSON.stringify([name, phone, message]));
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
  });

  test('has no legitimate request that is refused', () => {
    expect(leads.filter((sample) => judge(sample) === undefined)).toEqual([]);
  });

  test('has no legitimate request in quarantine, at most 2 % that look like spam, and at least 85 % of the spam does', () => {
    const lost = doubted(leads);
    const stopped = caught(junk);
    const report = [
      `legitimate in quarantine: ${share(quarantined(leads), leads)}; told as doubtful: ${share(lost, leads)}, of unseen ones ${share(doubted(unseen.legitimate), unseen.legitimate)}`,
      ...lost.map((sample) => `  ${judge(sample)?.signals.join(' ')}: ${sample[0]}, «${sample[2]}»`),
      `spam in quarantine: ${share(quarantined(junk), junk)}; recognised: ${share(stopped, junk)}, of unseen kinds ${share(caught(unseen.spam), unseen.spam)}`,
      ...Object.entries(spam).map(([kind, samples]) => `  ${kind}: ${share(caught(samples), samples)}`),
    ];
    process.stdout.write(`\nspam score\n${report.map((line) => `  ${line}\n`).join('')}`);
    expect(quarantined(leads)).toEqual([]);
    expect(lost.length / leads.length).toBeLessThanOrEqual(0.02);
    expect(stopped.length / junk.length).toBeGreaterThanOrEqual(0.85);
  });

  function share(some: readonly Sample[], all: readonly Sample[]): string {
    return `${some.length} of ${all.length} (${((100 * some.length) / all.length).toFixed(1)} %)`;
  }
});

test('an ordinary request has no signal', () => {
  expect(assess(words, quiet)).toEqual({ signals: [], score: 0, quarantined: false });
  expect(assess({ ...words, name: null, message: null }, quiet).signals).toEqual([]);
});

test('of all signals only the trap is enough alone for a second look, and a crowd for the quarantine', () => {
  const alone = (limit: number) =>
    Object.entries(points).flatMap(([signal, score]) => (score >= limit ? [signal] : []));
  expect(alone(threshold)).toEqual(['honeypot', 'crowd']);
  expect(alone(quarantine)).toEqual(['crowd']);
  expect(isDoubtful(['honeypot'])).toBe(true);
  for (const signals of [[], ['link', 'topic'], ['crowd'], ['honeypot', 'link']])
    expect(isDoubtful(signals)).toBe(false);
});

test('a browser that does not tell where the form came from is not spam for that, nor for haste besides', () => {
  expect(assess(words, { ...quiet, signals: ['no-origin'] })).toEqual({
    signals: ['no-origin'],
    score: 1,
    quarantined: false,
  });
  expect(assess(words, { ...quiet, signals: ['no-origin'], renderedAt: now }).quarantined).toBe(false);
});

test('signals add up to the quarantine', () => {
  const message = 'Продвижение сайтов, https://seo.example.com';
  expect(assess({ ...words, message }, quiet)).toMatchObject({ score: 3, quarantined: false });
  const doubtful = assess({ ...words, message }, { ...quiet, signals: ['no-origin'] });
  expect(doubtful).toEqual({ signals: ['no-origin', 'link', 'topic'], score: 4, quarantined: false });
  expect(isDoubtful(doubtful.signals)).toBe(true);
  expect(assess({ ...words, message }, { ...quiet, signals: ['challenge'] })).toEqual({
    signals: ['challenge', 'link', 'topic'],
    score: 5,
    quarantined: true,
  });
});

describe('the time', () => {
  test.each([
    [0, ['time']],
    [2_999, ['time']],
    [3_000, []],
    [86_400_000, []],
    // Made up, or by a server whose clock is ahead.
    [-5_000, ['time']],
  ])('%d ms after the form was rendered: %j', (milliseconds, signals) => {
    expect(signalsOf({}, { renderedAt: new Date(now.getTime() - milliseconds) })).toEqual(signals);
  });

  test('without one there was no form', () => {
    expect(signalsOf({}, { renderedAt: undefined })).toEqual(['no-form']);
  });
});

describe('links', () => {
  test.each([
    ['вот товар https://www.wildberries.ru/catalog/123/detail.aspx?targetUrl=GP', []],
    ['ozon.ru/product/1, www.ozon.ru/product/2, https://ozon.by/3, market.yandex.ru/4, https://shop1.1688.com', []],
    ['прайс.xlsx, 3.5 кг, т.д. и т.п.упаковка,маркировка.хранение Документ.Товары.Количество', []],
    ['почта anna@mail.example.com', []],
    ['наш сайт: «luna.example.com».', ['link']],
    ['(https://luna.example.com/a?b=https://luna.example.com)', ['link']],
    ['www.luna.example.com, www.luna.example.com и ещё раз www.luna.example.com', ['link']],
    ['коробы.рф', ['link']],
    ['luna.example.com и anna@luna.example.com', ['link', 'links']],
    ['цены: a.example.com b.example.com c.example.com', ['link', 'links']],
    ['цены: a.example.com b.example.com c.example.com d.example.com', ['link', 'links', 'many-links']],
    ['https://www.wildberries.ru/catalog/123456789/detail.aspx', []],
    ['https://wildberries.ru.example.com', ['link']],
    ['https://notozon.ru/', ['link']],
    ['тут https://ozon.ru@evil.example.com/', ['link']],
  ])('%j: %j', (message, signals) => {
    expect(saying(message)).toEqual(signals);
  });

  test('in a name are another matter', () => {
    expect(signalsOf({ name: 'https://promo.example.com' })).toEqual(['link-in-name']);
    expect(signalsOf({ name: 'anna@mail.example.com' })).toEqual([]);
  });

  test.each(['<a href=//a>тут</a>', '[url=//a]тут[/url]', '< script >', 'тут <svg/onload=x>', 'JavaScript:x'])(
    'in a markup are markup: %s',
    (message) => {
      expect(saying(message)).toContain('markup');
      expect(signalsOf({ name: message })).toContain('markup');
    },
  );

  test.each(['<Товар><Ид>1</Ид></Товар>', 'а < b', '<b>Здравствуйте</b>', '[1] [2]', 'sku[0]'])(
    'are not every bracket: %s',
    (message) => {
      expect(saying(message).filter((signal) => signal === 'markup')).toEqual(
        message === 'массив[url]' ? ['markup'] : [],
      );
    },
  );

  test.each(["1' or '1'='1", '1 UNION ALL SELECT 1', '{{ 7*7 }}', '../etc/passwd', "1'; waitfor delay '0:0:5'"])(
    'a probe is one: %s',
    (message) => {
      expect(saying(message)).toEqual(['probe']);
    },
  );
});

describe('words', () => {
  test.each([
    ['Казино', ['topic']],
    ['КАЗИНО, криптовалюта', ['topic', 'topics']],
    ['предлагаем гофротару', ['pitch']],
    ['срочно, займёт два дня, базовый номер, слоты, без порчи упаковки', []],
    ['нужен сро', ['topic']],
  ])('%j: %j', (message, signals) => {
    expect(saying(message)).toEqual(signals);
  });

  test.each([
    ['we make phone cases and need a warehouse', ['no-cyrillic']],
    ['price?', []],
    [
      '你好，我们在义乌，想把货物发到莫斯科的仓库，贴标签，然后送到电商平台。每个月大约三百公斤。请问价格是多少？',
      ['no-cyrillic', 'foreign-script'],
    ],
    ['лучшee кaзинo гoрoда', ['lookalikes']],
    ['Cколько cтоит', []],
  ])('%j: %j', (message, signals) => {
    expect(saying(message)).toEqual(signals);
  });

  test.each(['dJhGkPq', 'ZtLqWfHxOyKu', 'sdkjfhskdjfh'])('%s is gibberish', (text) => {
    expect(signalsOf({ name: text })).toEqual(['gibberish-name']);
    expect(saying(`${text} ${text}`)).toContain('gibberish-message');
  });

  test.each([
    'LaModa',
    'McDonald',
    'Mkrtchyan',
    'Szczepanski',
    'Krzysztof',
    'WBXKLM',
    'AliExpress',
    'BestKidsToys',
    'Li',
    'Schwarz',
  ])('%s is not', (name) => {
    expect(signalsOf({ name })).toEqual([]);
  });
});

describe('no token of the challenge', () => {
  test.each<[readonly SpamSignal[], readonly SpamSignal[]]>([
    [['no-challenge'], []],
    [['no-challenge', 'crowd'], ['crowd']],
    [
      ['no-origin', 'no-challenge'],
      ['no-challenge', 'no-origin'],
    ],
  ])('counts where other signals of a machine stand: %j', (given, counted) => {
    expect(assess(words, { ...quiet, signals: given }).signals.toSorted()).toEqual(counted.toSorted());
  });
});

describe('the phone', () => {
  test.each([
    ['+79999999999', ['phone']],
    ['+79160001111', []],
    ['+375291111112', []],
    ['+78091234567', ['premium-phone']],
    ['+19001234567', ['premium-phone']],
    ['+979123456789', ['premium-phone']],
    ['+8811234567890', ['premium-phone']],
    ['+78001234567', []],
    ['+19021234567', []],
  ])('%s: %j', (phone, signals) => {
    expect(signalsOf({ phone })).toEqual(signals);
  });
});

describe('repetition', () => {
  const message = 'Оптовая продажа чая и кофе от производителя, скидки до сорока';

  test.each([
    [{ samePhone: 7, sameMessage: 1 }, []],
    [{ samePhone: 8, sameMessage: 0 }, ['same-phone']],
    [{ samePhone: 0, sameMessage: 2 }, ['same-message']],
    [{ samePhone: 0, sameMessage: 5 }, ['same-message', 'flood']],
  ])('%j: %j', (recent, signals) => {
    expect(signalsOf({ message }, { recent })).toEqual(signals);
  });

  test('of what many would write is none', () => {
    expect(signalsOf({ message: 'Сколько стоит упаковка?' }, { recent: { samePhone: 0, sameMessage: 50 } })).toEqual(
      [],
    );
    expect(signalsOf({ message: null }, { recent: { samePhone: 0, sameMessage: 50 } })).toEqual([]);
  });
});

describe('whatever is sent', () => {
  const bits = fc.constantFrom(
    ...[
      '<',
      '<a href=',
      '[url',
      'https://',
      'a.ru',
      '@',
      '.',
      "'",
      'or',
      '=',
      ' ',
      '\n',
      '8',
      'казино',
      'Ж',
      'x',
      '義',
      '\ud800',
      '%00',
    ],
  );
  const text = fc.oneof(
    fc.array(bits, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 4_000, size: 'max' }),
  );
  // That a token is missing counts beside others alone.
  const signal = fc.constantFrom(...(Object.keys(points) as SpamSignal[]).filter((name) => name !== 'no-challenge'));
  const anyWords = fc.record({
    name: fc.option(text),
    phone: fc.oneof(text, fc.constant('+79161234567')),
    phoneTyped: text,
    message: fc.option(text),
  });
  const anyCircumstances = fc.record({
    signals: fc.array(signal, { maxLength: 5 }),
    renderedAt: fc.option(fc.date(), { nil: undefined }),
    now: fc.date(),
    recent: fc.record({ samePhone: fc.nat(), sameMessage: fc.nat() }),
  });

  test('it is weighed: different signals, their sum, and the threshold', () => {
    fc.assert(
      fc.property(anyWords, anyCircumstances, (one, circumstances) => {
        const { signals, score, quarantined } = assess(one, circumstances);
        expect(new Set(signals).size).toBe(signals.length);
        expect(signals).toEqual(expect.arrayContaining(circumstances.signals));
        expect(score).toBe(signals.reduce((sum, signal) => sum + points[signal], 0));
        expect(quarantined).toBe(score >= quarantine);
      }),
    );
  });

  test('a signal more never lowers the score, nor lets a lead out of quarantine', () => {
    fc.assert(
      fc.property(anyWords, anyCircumstances, signal, (one, circumstances, more) => {
        const before = assess(one, circumstances);
        const after = assess(one, { ...circumstances, signals: [...circumstances.signals, more] });
        expect(after.score).toBe(before.score + (before.signals.includes(more) ? 0 : points[more]));
        expect(after.quarantined || !before.quarantined).toBe(true);
      }),
    );
  });
});

test('the score of stored signals counts each once, and nothing for names of other times', () => {
  expect(scoreOf(['link', 'link', 'honeypot', 'constructor', '__proto__', 'forgotten'])).toBe(
    points.link + points.honeypot,
  );
  expect(scoreOf([])).toBe(0);
});

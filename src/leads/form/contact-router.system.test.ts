import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Services } from '../../app.ts';
import type { Content } from '../../model/content.ts';
import { callPromise, callTime } from '../../model/working-hours.ts';
import type { DatedBill } from '../../services/bill.ts';
import type { Answer } from '../../testing/ask.ts';
import { atMoment } from '../../testing/at-moment.ts';
import { siteUrl } from '../../testing/built.ts';
import { brokenLeads, fakeLeads } from '../../testing/fake-leads.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../../testing/html.ts';
import { keptLead } from '../../testing/leads.ts';
import { onDemand, plainService } from '../../testing/pages.ts';
import { startTestSite, type TestSite } from '../../testing/test-site.ts';
import { appeal, headline } from '../channels/wording.ts';
import type { Lead } from '../store/lead.ts';
import type { ChallengeOutcome } from './challenge.ts';
import { newKey, renderedAt } from './request.ts';

/** Read once for all tests. */
let base: TestSite;
let content: Content;
/** One per test, so that limits and leads do not mix. */
let site: TestSite;
beforeAll(async () => {
  base = await startTestSite();
  const { presets } = base.services.site.content;
  const [preset] = presets;
  if (preset === undefined) throw new Error('There is no preset.');
  content = { ...base.services.site.content, presets: [...presets, { ...preset, ...most }, { ...preset, ...least }] };
});
beforeEach(async () => {
  site = await start();
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

const most = { slug: 'most', name: true, message: 'required' } as const;
const least = { slug: 'least', name: false, message: 'none' } as const;

const started: TestSite[] = [];
async function start(overrides: Partial<Services> = {}): Promise<TestSite> {
  const made = await startTestSite({ site: { ...base.served, content }, ...overrides });
  started.push(made);
  return made;
}

const filled = {
  preset: most.slug,
  name: 'Анна',
  phone: '8 (916) 123-45-67',
  message: 'Сколько стоит?',
  consent: 'yes',
};

/** In minutes. */
const openSince = (minutes: number): string => newKey(new Date(Date.now() - minutes * 60_000));

const leadsOf = (of: TestSite): Promise<Lead[]> => of.services.leads.list({ limit: 1000 });
const formOf = (answer: Answer): Element => one(one(parseHtml(answer.text), 'main'), 'form');
const valuesOf = (answer: Answer): Record<string, string> => Object.fromEntries(formData(formOf(answer)));

function expectForm(answer: Answer, status: number): Element {
  const document = parseHtml(answer.text);
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expect(one(document, 'meta[name="robots"]').attrs.content).toBe('noindex');
  const main = one(document, 'main');
  expect(all(main, 'form[method="post"][action="/contact"]')).toHaveLength(1);
  expect(all(main, `a[href="${`tel:${content.company.tollFree.number}`}"]`).length).toBeGreaterThan(0);
  return main;
}

const noticeOf = (main: Element): string => {
  const [notice] = all(main, 'div.contact-notice[role="alert"]');
  if (notice === undefined) throw new Error('There is no notice.');
  expect(all(notice, `a[href="${`tel:${content.company.tollFree.number}`}"]`)).toHaveLength(1);
  return textOf(notice);
};

describe('the page of the form', () => {
  test('has the title, words, picture, button and fields of its preset', async () => {
    for (const preset of content.presets) {
      const answer = await site.request(`/contact?preset=${preset.slug}`);
      const main = expectForm(answer, 200);
      expect(textOf(one(main, 'h1'))).toBe(textOf(preset.title));
      expect(textOf(main)).toContain(textOf(preset.description));
      expect(textOf(main)).toMatch(/[Пп]озвоним (в|во|через) /);
      expect(all(main, 'img').map(({ attrs }) => attrs.src)).toEqual([preset.image]);
      expect((await site.request(preset.image)).status).toBe(200);
      expect(textOf(one(main, 'button[type="submit"]'))).toBe(textOf(preset.button));
      const asked = [...(preset.name ? ['name'] : []), ...(preset.message === 'none' ? [] : ['message'])];
      expect([...formData(one(main, 'form')).keys()]).toEqual(['preset', 'key', 'page', 'phone', ...asked, 'website']);
      expect(valuesOf(answer).preset).toBe(preset.slug);
      for (const { attrs } of all(one(main, 'form'), '[id]'))
        if (/^field-\w+$/.test(attrs.id ?? '')) expect(all(main, `label[for="${attrs.id ?? ''}"]`)).toHaveLength(1);
    }
  });

  test('says by the clock when the call comes', async () => {
    const { workingHours } = content.company;
    // A fixed clock, because the shipped working hours may differ.
    for (const at of ['2026-11-20T09:00:00Z', '2026-11-20T16:55:00Z', '2026-11-22T09:00:00Z']) {
      const main = expectForm(await atMoment(Date.parse(at), () => site.request('/contact')), 200);
      const said = textOf(one(main, 'p.contact-promise'));
      expect(said).toBe(textOf(`${callPromise(workingHours, new Date(at))}.`));
    }
  });

  test('is the general one without a preset', async () => {
    expect(valuesOf(await site.request('/contact')).preset).toBe('request');
    expect(valuesOf(await site.request('/contact?utm_source=ya&preset%5Ba%5D=b')).preset).toBe('request');
  });

  test.each(['nothing', '', 'REQUEST', '__proto__', 'request&preset=request'])(
    'of the preset "%s" is a 404',
    async (preset) => {
      const { status, text } = await site.request(`/contact?preset=${preset}`);
      expect(status).toBe(404);
      expect(text).toContain('>Ошибка</h1>');
    },
  );

  test('asks for a consent that is not ticked and can be read', async () => {
    const form = formOf(await site.request('/contact'));
    const box = one(form, 'input[name="consent"]');
    expect(box.attrs).toMatchObject({ type: 'checkbox', value: 'yes' });
    expect(box.attrs).not.toHaveProperty('checked');
    expect(all(form, 'a[href="/consent"]')).toHaveLength(1);
    expect((await site.request('/consent')).status).toBe(200);
  });

  test('hides its trap from people, from readers and from browsers that fill in', async () => {
    const form = formOf(await site.request('/contact'));
    const trap = one(form, 'input[name="website"]');
    expect(trap.attrs).toMatchObject({ tabindex: '-1', autocomplete: 'off' });
    expect(trap.attrs).not.toHaveProperty('value');
    expect(all(form, 'div[aria-hidden="true"].visually-hidden').flatMap((div) => all(div, 'input'))).toEqual([trap]);
    const style = textOf(one(parseHtml((await site.request('/contact')).text), 'style'));
    expect(style).toContain('.visually-hidden{');
  });

  test('has a key of its own each time', async () => {
    const keys = [];
    for (let count = 0; count < 5; count++) keys.push(valuesOf(await site.request('/contact')).key);
    expect(new Set(keys).size).toBe(5);
    expect(keys.every((key) => renderedAt(key ?? '') !== undefined)).toBe(true);
  });

  test('knows the page and the campaign that it was opened from', async () => {
    const referer = `${siteUrl}${plainService}?utm_source=yandex&utm_term=%D0%BA%D0%BE%D1%80%D0%BE%D0%B1&yclid=42`;
    expect(valuesOf(await site.request('/contact', { headers: { referer } }))).toMatchObject({
      page: plainService,
      'attribution.utm_source': 'yandex',
      'attribution.utm_term': 'короб',
      'attribution.yclid': '42',
    });
  });

  test('knows the campaign of whoever lands on the form itself', async () => {
    const headers = { referer: 'https://yandex.ru/search?text=secret' };
    const values = valuesOf(await site.request('/contact?utm_source=yandex', { headers }));
    expect(values).toMatchObject({ page: '/', 'attribution.utm_source': 'yandex' });
    expect(Object.keys(values).filter((name) => name.startsWith('attribution'))).toEqual(['attribution.utm_source']);
  });

  test.each([
    'https://example.com/services/photo?utm_source=evil',
    'about:blank',
    'nonsense',
    '//example.com/',
    `http://localhost:3000.example.com/photo`,
  ])('takes nothing from the address of another site: %s', async (referer) => {
    const values = valuesOf(await site.request('/contact', { headers: { referer } }));
    expect(values.page).toBe('/');
    expect(Object.keys(values).filter((name) => name.startsWith('attribution'))).toEqual([]);
  });

  test('takes no more of a campaign than a lead can hold', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `utm_${index}=${'x'.repeat(250)}`).join('&');
    const values = valuesOf(
      await site.request('/contact', { headers: { referer: `${siteUrl}/rates?${many.slice(0, 6000)}&__proto__=1` } }),
    );
    const names = Object.keys(values).filter((name) => name.startsWith('attribution.'));
    expect(names).toHaveLength(20);
    expect(names.every((name) => (values[name]?.length ?? 0) <= 200)).toBe(true);
  });
});

describe('a request, from end to end without a script', () => {
  test('is stored as it was written, and its receipt says what comes next', async () => {
    const referer = `${siteUrl}/rates?utm_source=yandex`;
    const page = await site.request(`/contact?preset=${most.slug}`, { headers: { referer } });
    const fields = formData(formOf(page));
    fields.set('key', openSince(1));
    fields.set('name', 'Анна «Короб» О’Нил');
    fields.set('phone', '8 (916) 123-45-67 доб. 12');
    fields.set('message', 'Здравствуйте!\r\nСколько стоит <упаковка> & маркировка?');
    fields.set('consent', 'yes');
    const sent = await site.post(fields, { referer: `${siteUrl}/contact?preset=request` });
    expect([sent.status, sent.headers['cache-control']]).toEqual([303, 'no-store']);
    expect(sent.headers.location).toMatch(/^\/contact\/[\w-]{22}$/);

    const [lead, ...others] = await leadsOf(site);
    expect(others).toEqual([]);
    expect(lead).toMatchObject({
      number: 1,
      state: 'new',
      preset: most.slug,
      name: 'Анна «Короб» О’Нил',
      phone: '+79161234567',
      phoneTyped: '8 (916) 123-45-67 доб. 12',
      message: 'Здравствуйте!\nСколько стоит <упаковка> & маркировка?',
      page: '/rates',
      attribution: { utm_source: 'yandex' },
      consent: expect.stringMatching(/^[\da-f]{64}$/),
      signals: [],
    });
    expect(sent.headers.location).toBe(`/contact/${lead?.receipt}`);

    const receipt = await site.request(sent.headers.location ?? '');
    const document = parseHtml(receipt.text);
    expect([receipt.status, receipt.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(one(document, 'meta[name="robots"]').attrs.content).toBe('noindex');
    expect(textOf(one(document, 'h1'))).toBe('Заявка № 1 принята');
    expect(textOf(one(document, 'main'))).toContain(
      textOf(content.presets.find(({ slug }) => slug === most.slug)?.title ?? ''),
    );
    expect(textOf(one(document, 'main'))).toContain(
      textOf(`Позвоним ${callTime(content.company.workingHours, new Date(lead?.receivedAt ?? ''))}.`),
    );
    // The page shows nothing secret or personal.
    expect(receipt.text).not.toContain(lead?.receipt);
    expect(receipt.text).not.toMatch(/Анна|916/);
  });

  test('is taken with every preset', async () => {
    for (const { slug: preset } of content.presets) {
      const fields = formData(formOf(await site.request(`/contact?preset=${preset}`)));
      for (const [name, value] of Object.entries({ ...filled, preset })) if (fields.has(name)) fields.set(name, value);
      fields.set('consent', 'yes');
      const { status, headers } = await site.post(fields);
      expect(status).toBe(303);
      expect((await site.request(headers.location ?? '')).status).toBe(200);
      expect((await leadsOf(site))[0]).toMatchObject({ preset, state: 'new' });
    }
  });

  test('may come without a key, a page or anything else that only the form knows', async () => {
    expect((await site.post(filled)).status).toBe(303);
    expect((await leadsOf(site))[0]).toMatchObject({ page: '/', attribution: {} });
  });

  test('the consent that is stored is the text that the site shows', async () => {
    await site.post({ ...filled, consent: 'on' });
    const other = await start({
      site: {
        ...site.services.site,
        content: {
          ...content,
          legal: {
            ...content.legal,
            consent: {
              ...content.legal.consent,
              body: { ...content.legal.consent.body, html: '<p>другой</p>' },
            },
          },
        },
      },
    });
    await other.post(filled);
    const [[first], [second]] = [await leadsOf(site), await leadsOf(other)];
    expect(second?.consent).not.toBe(first?.consent);
  });
});

describe('the receipt', () => {
  const week = ['09:00', '20:00'] as [string, string];
  const workingHours = {
    timeZone: 'Europe/Moscow',
    text: 'Пн–пт 9:00–20:00',
    week: [week, week, week, week, week, null, null],
    holidays: ['2026-11-23'],
  };

  async function promiseAt(receivedAt: string): Promise<string> {
    const receipt = keptLead({ number: 7, receivedAt, preset: least.slug });
    const clock = await start({
      leads: fakeLeads({ receipt: async (token) => (token === 'known' ? receipt : undefined) }),
      site: { ...site.served, content: { ...content, company: { ...content.company, workingHours } } },
    });
    const { status, text } = await clock.request('/contact/known');
    expect(status).toBe(200);
    expect(textOf(one(parseHtml(text), 'h1'))).toBe('Заявка № 7 принята');
    return textOf(one(one(parseHtml(text), 'main'), 'p.lead'));
  }

  test('promises a call within 10 minutes in working hours', async () => {
    expect(await promiseAt('2026-11-20T09:00:00.000Z')).toBe('Позвоним в течение 10 минут.');
  });

  test('says outside them when the next working day begins', async () => {
    // Friday evening; Monday is a holiday.
    expect(await promiseAt('2026-11-20T18:00:00.000Z')).toBe('Позвоним во вт 24 ноября с 9:00.');
    expect(await promiseAt('2026-11-20T16:50:00.000Z')).toBe('Позвоним во вт 24 ноября с 9:00.');
  });

  async function receiptWith(calculation: DatedBill | null): Promise<Element> {
    const receipt = keptLead({ number: 7, preset: most.slug, calculation });
    const told = await start({ leads: fakeLeads({ receipt: async () => receipt }) });
    return one(parseHtml((await told.request('/contact/known')).text), 'main');
  }

  test('shows the calculation that was sent as a table, and says what becomes of it', async () => {
    const query = new URLSearchParams(content.calculator.example).toString();
    await site.post({ ...filled, calc: query });
    const [lead] = await leadsOf(site);
    const bill = lead?.calculation;
    if (!bill) throw new Error('It has no calculation.');
    const main = await receiptWith(bill);
    const rows = all(one(one(main, 'table'), 'tbody'), 'tr');
    expect(rows.map((row) => textOf(one(row, 'td')))).toEqual(bill.rows.map(({ sum }) => textOf(sum)));
    expect(textOf(one(main, 'summary'))).toBe(textOf(`Расчёт: ${bill.total}`));
    expect(bill.address).toContain(`${siteUrl}/rates/calc?`);
    expect(all(main, `a[href="${bill.address}"]`)).toHaveLength(1);
    expect(textOf(main)).toContain('Менеджер проверит числа');
  });

  test('has a link to keep, what to do till then, and ways to reach a person', async () => {
    const main = await receiptWith(null);
    expect(all(main, 'details')).toEqual([]);
    const links = all(main, 'a').map(({ attrs }) => attrs.href);
    const { social, tollFree } = content.company;
    const ways = social.flatMap(({ kind, href }) => (['messenger', 'chat'].includes(kind) ? href : []));
    const prepared = [...(content.pages.contact?.body.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    expect(prepared).not.toEqual([]);
    expect(links.filter((href) => href !== '/')).toEqual(['', ...prepared, `tel:${tollFree.number}`, ...ways]);
  });

  test('promises the same however late it is read', async () => {
    expect(await promiseAt('2020-01-13T09:00:00.000Z')).toBe('Позвоним в течение 10 минут.');
  });

  test('cannot be guessed', async () => {
    const receipts = new Set<string>();
    for (let count = 0; count < 20; count++) {
      const { headers } = await site.post({ ...filled, message: `№ ${count}` });
      receipts.add(headers.location ?? '');
    }
    expect(receipts.size).toBe(20);
    for (const guess of [
      '1',
      '20',
      'known',
      [...receipts][0]?.slice(9, -1) ?? '',
      `${[...receipts][0]?.slice(9).toLowerCase()}`,
      '%27%20OR%201=1',
    ]) {
      const { status, headers } = await site.request(`/contact/${guess}`);
      expect([guess, status, headers['cache-control']]).toEqual([guess, 404, 'no-store']);
    }
  });

  test('is not told to the page that is opened next', async () => {
    const { headers } = await site.post(filled);
    expect((await site.request(headers.location ?? '')).headers['referrer-policy']).toBe('strict-origin');
    expect((await site.request('/contact')).headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
  });

  test('is only to be read', async () => {
    const { headers } = await site.post(filled);
    const { status, headers: refused } = await site.request(headers.location ?? '', { method: 'POST' });
    expect([status, refused.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a form with mistakes', () => {
  const wrong = {
    preset: most.slug,
    name: `  <b>"Анна" & 'Ко'</b>\u00A0`,
    phone: '<script>alert("12-34")</script>',
    message: '\r\n</textarea><script>alert(1)</script>\r\n  с отступом & «кавычками»',
    key: 'a-key-of-this-form',
    page: plainService,
    'attribution.utm_source': '"><img src=x>',
  };

  test('comes back with every value as it was typed', async () => {
    const answer = await site.post(wrong);
    expectForm(answer, 422);
    const values = valuesOf(answer);
    // Browsers send CRLF, and HTML normalizes it to LF.
    const message = wrong.message.replaceAll('\r\n', '\n');
    expect({ ...values, message: values.message?.replaceAll('\r\n', '\n') }).toEqual({
      ...wrong,
      message,
      website: '',
    });
    expect(answer.text).not.toMatch(/<script>|<b>"|<img src=x>|<\/textarea><script/);
    expect(await leadsOf(site)).toEqual([]);
  });

  test('keeps a tick, and never sets one', async () => {
    expect(valuesOf(await site.post({ ...wrong, consent: 'yes' })).consent).toBe('yes');
    expect(valuesOf(await site.post(wrong)).consent).toBeUndefined();
    expect(valuesOf(await site.post({ ...wrong, consent: 'no' })).consent).toBeUndefined();
  });

  test('says «Ошибка:» before the title, and lists each mistake with a link to its field', async () => {
    const document = parseHtml((await site.post({ preset: most.slug })).text);
    expect(textOf(one(document, 'title'))).toMatch(/^Ошибка: /);
    const summary = one(document, 'div[role="alert"]');
    const links = all(summary, 'a');
    expect(links.map(({ attrs }) => attrs.href)).toEqual(['#field-phone', '#field-message', '#field-consent']);
    for (const link of links) {
      const field = one(document, `[id="${link.attrs.href?.slice(1) ?? ''}"]`);
      expect(['input', 'textarea']).toContain(field.localName);
      expect(field.attrs['aria-invalid']).toBe('true');
      const described = field.attrs['aria-describedby']?.split(' ') ?? [];
      const error = one(document, `p[id="${`${field.attrs.id}-error`}"]`);
      expect(described).toContain(error.attrs.id);
      expect(textOf(error)).toBe(`Ошибка: ${textOf(link)}`);
    }
    const body = one(document, 'main').text;
    expect(body.indexOf(textOf(summary).slice(0, 10))).toBeLessThan(body.indexOf(textOf(one(document, 'h1'))));
  });

  test('that is corrected is taken', async () => {
    const fields = formData(formOf(await site.post(wrong)));
    fields.set('phone', '+375 29 123-45-67');
    fields.set('consent', 'yes');
    expect((await site.post(fields)).status).toBe(303);
    expect((await leadsOf(site))[0]).toMatchObject({
      phone: '+375291234567',
      page: plainService,
      preset: most.slug,
    });
  });

  test.each(['nothing', '', '__proto__', 'request,request'])(
    'of a preset "%s", which is there no more, is taken as a general one',
    async (preset) => {
      expect((await site.post({ ...filled, preset })).status).toBe(303);
      expect((await leadsOf(site))[0]).toMatchObject({ preset: 'request' });
    },
  );

  test('that is empty is asked for everything', async () => {
    expectForm(await site.post({}), 422);
  });
});

describe('the same form, sent again', () => {
  test('with the same words is the same request', async () => {
    const fields = { ...filled, key: 'a-key-of-this-form' };
    const answers = [await site.post(fields), ...(await Promise.all([1, 2, 3, 4].map(() => site.post(fields))))];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    expect(await leadsOf(site)).toHaveLength(1);
  });

  test.each([{ message: 'А за две?' }, { phone: '8 916 123-45-68' }, { name: 'Пётр' }, { preset: 'request' }])(
    'with other words is a request of its own: %j',
    async (change) => {
      const fields = { ...filled, key: 'a-key-of-this-form' };
      const [first, second] = [await site.post(fields), await site.post({ ...fields, ...change })];
      expect([first.status, second.status]).toEqual([303, 303]);
      expect(second.headers.location).not.toBe(first.headers.location);
      expect((await leadsOf(site)).map(({ number }) => number)).toEqual([2, 1]);
    },
  );
});

describe('what looks like spam', () => {
  test('is taken, told nothing, and kept in quarantine', async () => {
    const trapped = { ...filled, website: 'https://spam.example' };
    const { status, headers } = await site.post(trapped, { 'sec-fetch-site': undefined });
    expect(status).toBe(303);
    expect((await site.request(headers.location ?? '')).text).toContain('принята');
    const signals = ['honeypot', 'no-origin', 'no-form'];
    expect(await leadsOf(site)).toEqual([expect.objectContaining({ state: 'quarantined', signals })]);
  });

  test('and may well be none is told at once, as one to look at twice', async () => {
    await site.post({ ...filled, key: openSince(1), website: 'https://spam.example' });
    const [lead] = await leadsOf(site);
    if (lead === undefined) throw new Error('The lead is missing.');
    expect(lead).toMatchObject({ state: 'new', signals: ['honeypot'] });
    const told = { reason: 'new', lead, presetTitle: 'Заявка', deliveryId: '', takeUrl: '' } as const;
    const place = { timeZone: 'Europe/Moscow' };
    expect(headline([told], place)).toMatch(/^Похоже на спам\. Заявка № /);
    expect(appeal([told])).toContain('прочитайте, прежде чем звонить');
    expect(headline([{ ...told, lead: { ...lead, signals: [] } }], place)).toMatch(/^Заявка № /);
  });

  test('a client that does not say where the form came from is not spam for that alone', async () => {
    for (const headers of [{ 'sec-fetch-site': undefined }, { 'sec-fetch-site': undefined, origin: 'null' }]) {
      const fields = { ...filled, key: openSince(1), message: JSON.stringify(headers) };
      expect((await site.post(fields, headers)).status).toBe(303);
    }
    expect((await leadsOf(site)).map(({ state, signals }) => [state, signals])).toEqual([
      ['new', ['no-origin']],
      ['new', ['no-origin']],
    ]);
  });

  test('a script that never asked for the form, and leaves a link, is', async () => {
    const fields = { ...filled, message: 'Подробнее на сайте https://spam.example.com' };
    expect((await site.post(fields, { 'sec-fetch-site': undefined })).status).toBe(303);
    expect(await leadsOf(site)).toMatchObject([
      { state: 'quarantined', signals: ['no-origin', 'no-form', 'link', 'off-topic', 'pitch'] },
    ]);
  });

  test('who writes again is not', async () => {
    for (let count = 0; count < 7; count++) await site.post({ ...filled, key: openSince(count + 1) });
    expect((await leadsOf(site)).map(({ state, signals }) => [state, signals])).toEqual(Array(7).fill(['new', []]));
  });

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ 'sec-fetch-site': undefined, origin: siteUrl }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://example.com' }],
  ])('a form of this site is not: %j', async (headers) => {
    expect((await site.post({ ...filled, key: openSince(1) }, headers)).status).toBe(303);
    expect((await leadsOf(site))[0]).toMatchObject({ state: 'new', signals: [] });
  });

  test('an older browser is known by the address that it was sent to', async () => {
    const { status } = await site.post(filled, {
      'sec-fetch-site': undefined,
      origin: `http://127.0.0.1:${site.port}`,
    });
    expect([status, (await leadsOf(site))[0]?.state]).toEqual([303, 'new']);
  });
});

describe('the token of a challenge', () => {
  const token = 'a-token-of-a-widget';
  let asked: string[];
  const challenged = (outcome: ChallengeOutcome) =>
    start({
      challenge: async (given) => {
        asked.push(given);
        return outcome;
      },
    });
  beforeEach(() => {
    asked = [];
  });

  const withToken = () => ({ ...filled, key: openSince(1), 'cf-turnstile-response': token });

  test('that is false speaks against the request, and nobody is told', async () => {
    const strict = await challenged({ verdict: 'failed', reason: 'invalid-input-response' });
    const { status, headers } = await strict.post(withToken());
    expect(status).toBe(303);
    expect((await strict.request(headers.location ?? '')).text).toContain('принята');
    expect(asked).toEqual([token]);
    expect((await leadsOf(strict))[0]?.signals).toEqual(['challenge']);
  });

  test('that is false is told of, even if nobody asked for the form', async () => {
    const strict = await challenged({ verdict: 'failed', reason: 'invalid-input-response' });
    await strict.post({ ...filled, 'cf-turnstile-response': token });
    expect(await leadsOf(strict)).toMatchObject([{ state: 'new', signals: ['challenge', 'no-form'] }]);
  });

  test.each<ChallengeOutcome>([{ verdict: 'passed' }, { verdict: 'unknown', reason: 'timeout' }])(
    'is nothing against a request when %j',
    async (outcome) => {
      const lenient = await challenged(outcome);
      expect((await lenient.post({ ...filled, key: openSince(1) })).status).toBe(303);
      expect(asked).toEqual(['']);
      expect(await leadsOf(lenient)).toMatchObject([{ state: 'new', signals: [] }]);
    },
  );

  test('that is missing is one sign of spam, which alone keeps no request back', async () => {
    const lenient = await challenged({ verdict: 'unknown', reason: 'no-token' });
    await lenient.post({ ...filled, key: openSince(1) });
    expect(await leadsOf(lenient)).toMatchObject([{ state: 'new', signals: ['no-challenge'] }]);
  });

  test('is not spent on a form that goes back to its visitor', async () => {
    const strict = await challenged({ verdict: 'passed' });
    const fields = withToken();
    expect((await strict.post({ ...fields, phone: '12' })).status).toBe(422);
    expect((await strict.post(fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('is logged by its outcome alone', async () => {
    const strict = await challenged({ verdict: 'failed', reason: 'invalid-input-response' });
    await strict.post(withToken());
    expect(strict.logs.join('')).toContain('"challenge":{"verdict":"failed","reason":"invalid-input-response"}');
    expect(strict.logs.join('')).not.toMatch(/a-token|Анна|916\D*123/);
  });

  test('is asked for in the form only where there is a key, and no page keeps a token', async () => {
    const keyed = await start({
      site: {
        ...site.services.site,
        render: site.services.site.render,
        content: { ...content, integrations: { turnstileSiteKey: 'a-site-key' } },
      },
    });
    const form = formOf(await keyed.request('/contact'));
    expect(one(form, 'div#cf-turnstile').attrs).toMatchObject({
      'data-sitekey': 'a-site-key',
      hidden: '',
    });
    const back = await keyed.post({ ...filled, phone: '12', 'cf-turnstile-response': token });
    expect(one(formOf(back), 'div#cf-turnstile').attrs).not.toHaveProperty('hidden');
    expect(back.text).not.toContain(token);
    expect(all(formOf(await site.request('/contact')), 'div#cf-turnstile')).toEqual([]);
  });
});

describe('a form from another site', () => {
  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: siteUrl }],
    [{ 'sec-fetch-site': undefined, origin: 'https://example.com' }],
    [{ 'sec-fetch-site': undefined, origin: 'http://localhost:3000.example.com' }],
    [{ 'sec-fetch-site': undefined, origin: 'nonsense' }],
  ])('is not stored, but can be sent from here: %j', async (headers) => {
    const answer = await site.post(filled, headers);
    const main = expectForm(answer, 403);
    expect(noticeOf(main)).toContain('ещё не отправлена');
    // The box ticked by the other site does not count.
    const { consent: _, ...words } = filled;
    expect(valuesOf(answer)).toMatchObject(words);
    expect(valuesOf(answer)).not.toHaveProperty('consent');
    expect(await leadsOf(site)).toEqual([]);
    const again = formData(one(main, 'form'));
    again.set('consent', 'yes');
    expect((await site.post(again)).status).toBe(303);
    expect(await leadsOf(site)).toHaveLength(1);
  });
});

describe('many forms from one address', () => {
  const mistaken = { ...filled, phone: '12' };

  async function exhaust(of: TestSite, headers: Record<string, string> = {}): Promise<void> {
    for (let count = 0; count < 300; count++) expect((await of.post(mistaken, headers)).status).toBe(422);
  }

  test('are taken, and from the sixty-first on they wait for an operator, with the same receipt', async () => {
    const leads = fakeLeads();
    const busy = await start({ leads });
    for (let count = 1; count <= 62; count++) {
      const { status, headers } = await busy.post({ ...filled, message: `№ ${count}` });
      expect([status, headers.location]).toEqual([303, `/contact/receipt-${count}`]);
    }
    const crowded = leads.added.map(({ signals }) => signals.includes('crowd'));
    expect(crowded).toEqual([...Array(60).fill(false), true, true]);
  });

  test('in which something is wrong are refused in the end, with their text and a number to call; others are taken', async () => {
    const leads = fakeLeads();
    const busy = await start({ leads });
    await exhaust(busy);
    const answer = await busy.post(mistaken, { 'x-forwarded-for': '203.0.113.7' });
    const main = expectForm(answer, 429);
    expect(noticeOf(main)).toContain('слишком много');
    expect(valuesOf(answer)).toMatchObject(mistaken);
    // `"300-in-10min"; r=0; t=599`
    const left = Number(/t=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
    expect(Math.abs(Number(answer.headers['retry-after']) - left)).toBeLessThanOrEqual(1);
    expect(leads.added).toHaveLength(0);
    expect((await busy.post(filled)).status).toBe(303);
    expect(leads.added.map(({ signals }) => signals)).toEqual([expect.not.arrayContaining(['crowd'])]);
    expect((await busy.request('/contact?preset=request')).status).toBe(200);
    expect((await busy.request('/')).status).toBe(200);
    expect((await busy.request('/readyz')).status).toBe(200);
  });

  test('addresses are those that the proxy names, and an IPv6 network counts as one', async () => {
    const busy = await start({ leads: fakeLeads(), trustProxy: 1 });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    await exhaust(busy, from('2001:db8:0:aa01::1'));
    expect((await busy.post(mistaken, from('2001:db8:0:aaff:1:2:3:4'))).status).toBe(429);
    expect((await busy.post(mistaken, from('2001:db8:0:bb01::1'))).status).toBe(422);
    expect((await busy.post(mistaken, from('203.0.113.7'))).status).toBe(422);
    // Forged addresses come before those added by the proxy.
    expect((await busy.post(mistaken, from('203.0.113.8, 2001:db8:0:aa01::1'))).status).toBe(429);
  });

  test('a forged header is not worth a line in the log', async () => {
    const complaints = [jest.spyOn(console, 'error'), jest.spyOn(console, 'warn')];
    for (const spy of complaints) spy.mockImplementation(() => {});
    await site.post(filled, { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' });
    await site.request(onDemand, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    for (const spy of complaints) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe('a store that fails', () => {
  test('keeps the text on the page, names the phone, and is never a success', async () => {
    const broken = await start({ leads: brokenLeads() });
    const answer = await broken.post(filled);
    const main = expectForm(answer, 503);
    expect(noticeOf(main)).toContain('не отправлена');
    expect(valuesOf(answer)).toMatchObject(filled);
    expect(answer.text).not.toMatch(/принята|disk|database/);
    expect(broken.logs.join('')).toContain('disk is full');
  });

  test('in a way that nobody foresaw keeps the text, too', async () => {
    const leads = fakeLeads({
      add: async () => {
        throw new TypeError('undefined is not a function');
      },
    });
    const broken = await start({ leads });
    const answer = await broken.post(filled);
    expect(noticeOf(expectForm(answer, 503))).toContain('не отправлена');
    expect(valuesOf(answer)).toMatchObject(filled);
    expect(broken.logs.join('')).toContain('undefined is not a function');
  });
});

describe('a body that cannot be read', () => {
  const form = 'application/x-www-form-urlencoded';
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    site.request('/contact', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': form, ...headers },
      body,
    });

  test.each([256 * 1024 + 1, 1024 * 1024])('of %d bytes is a 413 with the form and a number to call', async (size) => {
    expect(noticeOf(expectForm(await post('a'.repeat(size)), 413))).toContain('слишком длинное');
  });

  test('of 256 KB is read', async () => {
    const body = new URLSearchParams({ ...filled, extra: '' }).toString();
    expect((await post(body.padEnd(256 * 1024, 'x'))).status).toBe(303);
  });

  test('is none if ten thousand letters are typed: they come back, with the advice to shorten them', async () => {
    const message = 'Везём всё. '.repeat(1_000).trim();
    const answer = await site.post({ ...filled, message });
    expectForm(answer, 422);
    expect(valuesOf(answer)).toMatchObject({ message });
    expect(textOf(parseHtml(answer.text))).toContain('Сократите текст до 4 000 знаков');
  });

  test.each(['nonsense', '"nonsense"'])('in the charset %s is a 415', async (charset) => {
    const type = `${form}; charset=${charset}`;
    expect((await post('phone=1', { 'content-type': type })).status).toBe(415);
  });

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('in the charset %s is read', async (charset) => {
    const body = new URLSearchParams(filled).toString();
    expect((await post(body, { 'content-type': `${form}; charset=${charset}` })).status).toBe(303);
  });

  test.each([
    'text/plain',
    'application/json',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/x-www-form-urlencodedx',
  ])('of the type %s is a 415 with the form and a number to call', async (type) => {
    const main = expectForm(await post('{"phone":"89161234567"}', { 'content-type': type }), 415);
    expect(noticeOf(main)).toContain('Заполните форму ещё раз');
  });

  test('of no type is a 415', async () => {
    const { status } = await site.request('/contact', {
      method: 'POST',
      body: 'phone=1',
      headers: { 'content-length': '7' },
    });
    expect(status).toBe(415);
  });

  test('in an encoding that is none is refused with the form', async () => {
    expectForm(await post('phone=1', { 'content-encoding': 'gzip' }), 400);
    expectForm(await post('phone=1', { 'content-encoding': 'nonsense' }), 415);
    expectForm(await post('phone=1', { 'content-type': `${form}; charset=nonsense` }), 415);
  });

  test('stores nothing', async () => {
    await post('a'.repeat(40_000));
    await post('a', { 'content-type': 'text/plain' });
    expect(await leadsOf(site)).toEqual([]);
  });
});

test('nothing of a form is kept but what the way back leads over, and that by the browser alone', async () => {
  const cached = async (answers: readonly Promise<Answer>[]) =>
    (await Promise.all(answers)).map(({ status, headers }) => [status, headers['cache-control']]);
  const asked = ['/contact', '/contact?preset=nothing', '/contact/nothing'].map((path) => site.request(path));
  expect(
    await cached([
      ...asked,
      site.request('/contact', { method: 'HEAD' }),
      site.request('/contact', { method: 'PUT' }),
      site.post(filled),
    ]),
  ).toEqual([200, 404, 404, 200, 405, 303].map((status) => [status, 'no-store']));
  const broken = await start({ leads: brokenLeads() });
  expect(
    await cached([
      site.post({}),
      site.post(filled, { 'sec-fetch-site': 'cross-site' }),
      site.post({ ...filled, message: 'a'.repeat(256 * 1024) }),
      site.post(filled, { 'content-type': 'text/plain' }),
      broken.post(filled),
    ]),
  ).toEqual([422, 403, 413, 415, 503].map((status) => [status, 'private, no-cache']));
});

test('nothing that a visitor sends, and no receipt, gets into the log', async () => {
  const secrets = {
    name: 'Canary-name',
    phone: '+79160001122',
    message: 'canary message',
    website: 'canary-website',
    key: 'canary-key-of-form',
    page: '/canary-page',
    'attribution.utm_source': 'canary-source',
    consent: 'yes',
  };
  const headers = {
    referer: `${siteUrl}/canary-referer?phone=canary`,
    cookie: 'canary=1',
    'user-agent': 'canary-agent',
  };
  const receipts: string[] = [];
  const sites = [
    site,
    await start({ leads: brokenLeads() }),
    await start({
      leads: fakeLeads({
        add: async () => {
          throw new Error('unforeseen');
        },
      }),
    }),
  ];
  for (const one of sites) {
    for (const preset of [most.slug, least.slug, 'canary-preset']) {
      for (const fields of [
        { ...secrets, preset },
        { ...secrets, preset, phone: 'canary' },
      ]) {
        for (const origin of ['same-origin', 'cross-site', undefined]) {
          const answer = await one.post(fields, { ...headers, 'sec-fetch-site': origin });
          if (answer.status === 303) receipts.push(answer.headers.location ?? '');
        }
      }
    }
    await one.post({ ...secrets, message: 'canary '.repeat(8000) }, headers);
    await one.post(secrets, { ...headers, 'content-type': 'text/canary' });
    await one.post(secrets, { ...headers, 'content-encoding': 'canary' });
    for (const path of [
      '/contact?phone=canary',
      '/contact?preset=canary',
      '/contact/canary',
      '/canary?a=canary',
      '/canary/',
      ...receipts,
    ])
      await one.request(path, { headers });
    const mistaken = { ...secrets, phone: 'canary' };
    for (let count = 0; count < 300; count++) await one.post(mistaken, headers);
    expect((await one.post(mistaken, headers)).status).toBe(429);
  }
  expect(receipts.length).toBeGreaterThan(2);
  const log = sites.flatMap(({ logs }) => logs).join('');
  expect(log).toContain('"msg":"request"');
  expect(log).not.toMatch(/canary|9160001122|000-?11-?22/i);
  for (const receipt of receipts) expect(log).not.toContain(receipt.slice('/contact/'.length));
});

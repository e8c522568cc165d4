import { readFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';

import { limits } from '../../http/limits.ts';
import { minuteMs } from '../../lib/durations.ts';

import { tidyLine, tidyText } from '../../lib/tidy.ts';
import { callDue, callPromise, type Span } from '../../model/working-hours.ts';
import type { HttpAnswer } from '../../tests/support/ask.ts';
import { atMoment } from '../../tests/support/at-moment.ts';
import { siteUrl } from '../../tests/support/built.ts';
import { hostileForm } from '../../tests/support/channels.ts';
import { brokenLeads, fakeLeads } from '../../tests/support/fake-leads.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { proseOf } from '../../tests/support/prose-of.ts';
import { keptLead } from '../../tests/support/sample-leads.ts';
import { order, plainService } from '../../tests/support/sample-pages.ts';
import { limitersAfter, shownSite, startTestSite, type TestSite } from '../../tests/support/test-site.ts';
import type { Channel } from '../channels/channel.ts';
import type { Lead } from '../store/lead.ts';
import type { EventName } from '../store/lead-events.ts';
import { consentOf } from '../store/leads.ts';
import { keepConsentText } from '../store/retention.ts';
import { newKey } from './read-lead-form.ts';
import type { ChallengeOutcome } from './verify-challenge.ts';

const shown = await shownSite();
const [preset, ...others] = shown.content.presets.filter(({ slug }) => slug !== 'calculation');
if (preset === undefined) throw new Error('There is no preset.');
const most = { ...preset, slug: 'most', name: true, message: 'required' } as const;
const least = { ...preset, slug: 'least', name: false, message: 'none' } as const;
const calculation = { ...preset, slug: 'calculation', name: true, message: 'optional' } as const;
const content = { ...shown.content, presets: [preset, ...others, most, least, calculation] };

const start = (overrides: Parameters<typeof startTestSite>[0] = {}): Promise<TestSite> =>
  startTestSite({ site: { ...shown, content }, ...overrides });
const site = await start();

const filled = {
  preset: most.slug,
  name: 'Анна Canary',
  phone: '8 (916) 123-45-67',
  message: 'Сколько стоит canary?',
  consent: 'yes',
};

/** The key of a form that was opened that many minutes ago. */
const openSince = (minutes: number): string => newKey(new Date(Date.now() - minutes * 60_000));
/** A form that took a minute to fill in. */
const slowly = () => ({ ...filled, key: openSince(1) });

/** The lead of an accepted form. */
async function leadOf({ status, headers }: HttpAnswer, { services }: TestSite = site): Promise<Lead> {
  expect([status, headers['cache-control']]).toEqual([303, 'no-store']);
  const receipt = String(headers.location).slice('/contact/'.length);
  const lead = await services.leads.receipt(receipt);
  if (lead === undefined) throw new Error('The lead is missing.');
  return lead;
}
const leadsIn = ({ services }: TestSite) => services.leads.list({ limit: 1000 });

function expectMissing({ status, headers }: HttpAnswer): void {
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
}

const mainOf = ({ text }: HttpAnswer): Element => one(parseHtml(text), 'main');
const formOf = (answer: HttpAnswer): Element => one(mainOf(answer), 'form');
const valuesOf = (answer: HttpAnswer): Record<string, string> => Object.fromEntries(formData(formOf(answer)));
const campaignIn = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith('attribution.')));

/** Expects a form that can be sent from here, and a number to call. */
function expectForm(answer: HttpAnswer, status: number): Element {
  expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'private, no-cache']);
  const document = parseHtml(answer.text);
  expect(one(document, 'meta[name="robots"]').attrs.content).toBe('noindex');
  const main = mainOf(answer);
  one(main, 'form[method="post"][action="/contact"]');
  const calls = all(main, `a[href="tel:${content.company.tollFree?.number}"]`);
  const notices = all(main, '.contact-notice[role="alert"]');
  expect(calls.length).toBe(1 + notices.length);
  expect(notices.length).toBe(status === 200 || status === 422 ? 0 : 1);
  return main;
}

const noticeOf = (main: Element) => textOf(one(main, '.contact-notice'));

describe('the form page', () => {
  test('shows the texts and fields of its preset, has a unique key, and can be sent', async () => {
    const keys = new Set<string | null>();
    for (const { slug, title, description, image, button, name, message } of content.presets) {
      const main = expectForm(await site.request(`/contact?preset=${slug}`), 200);
      expect(textOf(one(main, 'h1'))).toBe(textOf(title));
      expect(textOf(main)).toContain(textOf(description));
      expect(all(main, 'img').map(({ attrs }) => attrs.src)).toEqual([image]);
      expect(textOf(one(main, 'button[type="submit"]'))).toBe(textOf(button));
      const asked = ['phone', ...(name ? ['name'] : []), ...(message === 'none' ? [] : ['message'])];
      const labels = all(main, 'label').map(({ attrs }) => attrs.for);
      expect(labels).toEqual([...asked.map((field) => `field-${field}`), 'field-consent', 'website']);
      const fields = formData(one(main, 'form'));
      expect([...fields.keys()]).toEqual(['preset', 'key', 'page', 'consentVersion', ...asked, 'website']);
      keys.add(fields.get('key'));
      for (const [field, value] of Object.entries(filled)) if (fields.get(field) === '') fields.set(field, value);
      fields.set('consent', 'yes');
      expect(await leadOf(await site.post(fields))).toMatchObject({ preset: slug, signals: ['time'] });
    }
    expect(keys.size).toBe(content.presets.length);
  });

  test('shows the general preset by default, and returns 404 for an unknown one', async () => {
    for (const query of ['', '?utm_source=ya&preset%5Ba%5D=b'])
      expect(valuesOf(await site.request(`/contact${query}`)).preset).toBe('request');
    for (const slug of ['nothing', '', 'REQUEST', '__proto__', 'request&preset=request'])
      expectMissing(await site.request(`/contact?preset=${slug}`));
  });

  test('states above its fields when the call will come, counted from the current time', async () => {
    const at = Date.parse('2026-11-22T09:00:00Z');
    const main = mainOf(await atMoment(at, () => site.request('/contact')));
    const promise = textOf(`${callPromise(content.company.workingHours, new Date(at))}.`);
    expect(textOf(one(main, '.contact-promise'))).toBe(promise);
    expect(textOf(main).indexOf(promise)).toBeLessThan(textOf(main).indexOf('Телефон'));
  });

  test('lets a browser autocomplete the name and the phone (WCAG 1.3.5)', async () => {
    const form = mainOf(await site.request('/contact'));
    expect(one(form, 'input[name="phone"]').attrs.autocomplete).toBe('tel');
    expect(one(form, 'input[name="name"]').attrs.autocomplete).toBe('name');
  });

  test('hides its honeypot from people, screen readers and autocomplete', async () => {
    const { text } = await site.request('/contact');
    const trap = one(parseHtml(text), '.visually-hidden[aria-hidden="true"] input[name="website"]');
    expect(trap.attrs).toMatchObject({ tabindex: '-1', autocomplete: 'off' });
    expect(textOf(one(parseHtml(text), 'style'))).toContain('.visually-hidden{');
  });

  test.each([
    [
      `${siteUrl}${plainService}?utm_source=canary&utm_term=%D0%BA`,
      '',
      plainService,
      { utm_source: 'canary', utm_term: 'к' },
    ],
    [`${siteUrl}/search?q=canary`, '', '/search', {}],
    [`${site.url}/rates`, '?utm_source=canary', '/rates', {}],
    ['https://yandex.ru/search?text=secret', '?utm_source=canary', '/', { utm_source: 'canary' }],
    [`${siteUrl}.example.com/photo`, '', '/', {}],
  ])(
    'records the page and the campaign that it was opened from: %s to /contact%s',
    async (referer, query, page, sent) => {
      const values = valuesOf(await site.request(`/contact${query}`, { headers: { referer } }));
      expect(values.page).toBe(page);
      const campaign = Object.entries(sent).map(([name, value]) => [`attribution.${name}`, value]);
      expect(campaignIn(values)).toEqual(Object.fromEntries(campaign));
    },
  );
});

describe('a lead sent without JavaScript', () => {
  test('is stored as typed, and gets a receipt that shows its number and no personal data', async () => {
    const referer = `${siteUrl}/rates?utm_source=canary`;
    const fields = formData(formOf(await site.request(`/contact?preset=${most.slug}`, { headers: { referer } })));
    const typed = {
      name: 'Анна «Canary» О’Нил',
      phone: '8 (916) 123-45-67 доб. 12',
      message: 'Здравствуйте!\r\nСколько стоит <упаковка> & canary?',
    };
    for (const [name, value] of Object.entries({ ...slowly(), ...typed })) fields.set(name, value);
    const sent = await site.post(fields, { referer: `${siteUrl}/contact?preset=request` });
    const lead = await leadOf(sent);
    expect(lead).toMatchObject({
      state: 'waiting',
      preset: most.slug,
      name: typed.name,
      phone: '+79161234567',
      phoneTyped: typed.phone,
      message: typed.message.replace('\r', ''),
      page: '/rates',
      attribution: { utm_source: 'canary' },
      consent: consentOf(content.legal.consent).hash,
      signals: [],
    });

    const receipt = await site.request(sent.headers.location ?? '');
    const document = parseHtml(receipt.text);
    expect(one(document, 'meta[name="robots"]').attrs.content).toBe('noindex');
    expect(textOf(one(document, 'h1'))).toBe(`Заявка № ${lead.number} принята`);
    // The page shows nothing secret or personal, and its address is not sent as a referrer.
    expect(receipt.text).not.toMatch(new RegExp(`${lead.receipt}|Анна|Canary|916.?123`));
    expect(receipt.headers['referrer-policy']).toBe('strict-origin');
  });

  test('is stored without the hidden fields of the form, and its receipt cannot be guessed', async () => {
    const lead = await leadOf(await site.post(filled));
    expect(lead).toMatchObject({ page: '/', attribution: {}, signals: ['no-form'] });
    for (const guess of ['1', 'known', lead.receipt.slice(0, -1), lead.receipt.toLowerCase(), '%27%20OR%201=1'])
      expectMissing(await site.request(`/contact/${guess}`));
  });

  test('is stored once when its form is sent again, and with other words becomes another lead', async () => {
    const fields = slowly();
    const answers = [await site.post(fields), ...(await Promise.all([1, 2, 3, 4].map(() => site.post(fields))))];
    const numbers = await Promise.all(answers.map(async (answer) => (await leadOf(answer)).number));
    expect(new Set(numbers).size).toBe(1);
    expect((await leadOf(await site.post({ ...fields, message: 'А два canary?' }))).number).not.toBe(numbers[0]);
  });

  test('carries a calculation: the form folds it and asks for nothing twice, and the lead and its receipt hold the result', async () => {
    const main = expectForm(await site.request(`/contact?preset=calculation&calc=${encodeURIComponent(order)}`), 200);
    const folded = one(main, 'details');
    const fields = formData(one(main, 'form'));
    expect(all(folded, 'a').map(({ attrs }) => attrs.href)).toEqual([`/rates/calc?${fields.get('calc')}`]);
    expect(all(main, '[required]').map(({ attrs }) => attrs.name)).toEqual(['phone', 'consent']);

    for (const [name, value] of Object.entries(filled)) fields.set(name, value);
    const sent = await site.post(fields);
    const { calculation: bill } = await leadOf(sent);
    if (bill === null) throw new Error('It has no calculation.');
    expect(bill.address).toBe(`${siteUrl}/rates/calc?${fields.get('calc')}`);
    expect(textOf(one(folded, 'summary'))).toBe(textOf(`Расчёт: ${bill.total}`));
    const receipt = mainOf(await site.request(sent.headers.location ?? ''));
    for (const page of [main, receipt])
      expect(textOf(one(page, '.sent-bill .load'))).toBe(textOf(bill.load?.text ?? ''));
    expect(all(receipt, 'tbody td').map(textOf)).toEqual(bill.rows.map(({ sum }) => textOf(sum)));
    const days = all(one(receipt, '.term-strip'), ':scope > span').map((day) => Number(textOf(day).match(/\d+/)?.[0]));
    const { brought = '', delivered = '' } = bill.days ?? {};
    expect([days[0], days.at(-1)]).toEqual([brought, delivered].map((day) => Number(day.slice(-2))));
    one(receipt, `a[href="${bill.address}"]`);
  });

  test('carries a calculation in the form of any preset, and drops an invalid one', async () => {
    const main = mainOf(await site.request(`/contact?preset=least&calc=${encodeURIComponent(order)}`));
    expect(textOf(one(main, 'h1'))).toBe(textOf(least.title));
    one(main, 'details');
    expect(all(mainOf(await site.request('/contact?calc=units%3D1')), 'details')).toEqual([]);
    expect((await leadOf(await site.post({ ...filled, calc: 'units=1' }))).calculation).toBeNull();
  });
});

describe('the consent', () => {
  const textIn = ({ sql }: TestSite) =>
    sql.query<{ hash: string; text: string }>('SELECT hash, text FROM consent_text');

  /** A site with a changed text of consent and the leads of the given site. */
  async function changed({ services: { leads } }: TestSite): Promise<TestSite> {
    const { legal } = content;
    const consent = { ...legal.consent, body: proseOf('Согласен на другое.') };
    return start({ leads, site: { ...shown, content: { ...content, legal: { ...legal, consent } } } });
  }

  async function filledAt(site: TestSite): Promise<URLSearchParams> {
    const fields = formData(formOf(await site.request(`/contact?preset=${most.slug}`)));
    for (const [name, value] of Object.entries(filled)) fields.set(name, value);
    return fields;
  }

  test('is stored with the lead as its hash, and its text under that hash, also without the version that forms send', async () => {
    for (const hidden of [true, false]) {
      const site = await start();
      const fields = await filledAt(site);
      if (!hidden) fields.delete('consentVersion');
      const { consent } = await leadOf(await site.post(fields), site);
      expect(await textIn(site)).toEqual([{ hash: consent, text: content.legal.consent.body.lines.join('\n') }]);
    }
  });

  test('is asked for again with the typed values kept and the box unticked when its text has changed since the form was opened', async () => {
    const before = await start();
    const fields = await filledAt(before);
    const after = await changed(before);
    const answer = await after.post(fields);
    const main = expectForm(answer, 422);
    expect(textOf(one(main, '.error-summary'))).toContain('Текст согласия изменился');
    const values = valuesOf(answer);
    expect(values).toMatchObject({ phone: filled.phone, name: filled.name, message: filled.message });
    expect(values).not.toHaveProperty('consent');
    expect(await leadsIn(before)).toEqual([]);
    const json = await after.post(fields, { accept: 'application/json' });
    expect([json.status, JSON.parse(json.text).message]).toEqual([422, expect.stringContaining('изменился')]);

    const { consent } = await leadOf(await after.post({ ...values, consent: 'yes' }), before);
    expect(await textIn(before)).toEqual([{ hash: consent, text: 'Согласен на другое.' }]);
  });

  test('is stored in the version that the visitor saw when the text has changed since and the old version is known', async () => {
    const before = await start();
    const { consent: seen } = await leadOf(await before.post(await filledAt(before)), before);
    const fields = await filledAt(before);
    const { consent } = await leadOf(await (await changed(before)).post(fields), before);
    expect(consent).toBe(seen);
    expect(await textIn(before)).toEqual([{ hash: seen, text: content.legal.consent.body.lines.join('\n') }]);
  });

  test('to an older text, known or not, does not pass as consent to the current text when the form comes back with a mistake', async () => {
    for (const known of [false, true]) {
      const before = await start();
      if (known) await leadOf(await before.post(await filledAt(before)), before);
      const fields = await filledAt(before);
      fields.set('phone', 'canary');
      const answer = await (await changed(before)).post(fields);
      const links = all(one(expectForm(answer, 422), '.error-summary'), 'a');
      expect(links.map(({ attrs }) => attrs.href)).toEqual(['#field-phone', '#field-consent']);
      expect(valuesOf(answer)).not.toHaveProperty('consent');
    }
  });

  test('to a text that the site never had is not accepted, and nothing is stored', async () => {
    const site = await start();
    await keepConsentText(site.sql, content.legal.consent);
    const fields = await filledAt(site);
    const { hash } = consentOf(content.legal.consent);
    const known = fc.constantFrom(hash.toUpperCase(), `${hash}\n`, "' OR 1=1 --", '0'.repeat(9_000));
    const unknown = fc.oneof(known, fc.stringMatching(/^[0-9a-f]{64}$/), fc.string({ unit: 'binary', minLength: 1 }));
    const property = fc.asyncProperty(unknown, async (version) => {
      fields.set('consentVersion', version);
      const answer = await site.post(fields);
      expect(textOf(one(expectForm(answer, 422), '.error-summary'))).toContain('Текст согласия изменился');
      expect(valuesOf(answer)).not.toHaveProperty('consent');
    });
    await fc.assert(property, { numRuns: 30 });
    expect(await leadsIn(site)).toEqual([]);
  });
});

describe('the receipt', () => {
  const week: Span[] = [['09:00', '20:00']];
  const workingHours = {
    timeZone: 'Europe/Moscow',
    text: 'Пн–пт 9:00–20:00',
    callWithin: 10,
    week: [week, week, week, week, week, [], []],
    holidays: ['2026-11-23'],
  };

  async function receiptOf(about: Partial<Lead>): Promise<Element> {
    const server = await start({
      leads: fakeLeads({ receipt: async () => keptLead({ preset: least.slug, ...about }) }),
      site: { ...shown, content: { ...content, company: { ...content.company, workingHours } } },
    });
    return mainOf(await server.request('/contact/known'));
  }

  const received = '2026-11-20T10:05:00.000Z';
  const due = callDue(workingHours, new Date(received))?.getTime() ?? 0;
  const changed = (...names: EventName[]) => ({
    events: names.map((eventName) => ({ key: '', at: received, by: 'chat', eventName, text: '' })),
  });
  const done = { state: 'done' } as const;

  test.each<[string, Partial<Lead>, minutes: number, words: string]>([
    ['waits', {}, 0, 'Позвоним сегодня до 13:15 (Москва).'],
    ['waits longer than promised', {}, 1, 'Обещали позвонить сегодня до 13:15 (Москва). Если звонка не было,'],
    ['was returned', changed('missed', 'return'), 0, 'Позвоним сегодня до 13:15 (Москва).'],
    ['was taken', { state: 'taken' }, 0, 'звонит вам.'],
    ['was taken half an hour ago', { state: 'taken' }, 20, 'в 13:05. Если звонка не было'],
    ['is called again', changed('missed'), -11, 'Перезвоним сегодня после 13:05'],
    ['was not called again', changed('missed'), 0, 'Собирались перезвонить сегодня после 13:05 (Москва), наберите'],
    ['had a call', { ...done, ...changed('take', 'talked') }, 9, 'Менеджер поговорил с вами в пятницу'],
    ['is not ours', { ...done, ...changed('take', 'notOurs') }, 9, 'Заявка закрыта. Если вы ждёте звонка, наберите'],
  ])('says what happens to a lead that %s', async (_, about, minutes, words) => {
    const lead = { receivedAt: received, since: received, ...about };
    const main = await atMoment(due + minutes * minuteMs, () => receiptOf(lead));
    expect(textOf(one(main, '.lead'))).toContain(textOf(words));
  });

  test('shows enough of the phone number to reveal a typo, and links to the form', async () => {
    const main = await receiptOf({ phone: '+79161234567' });
    expect(textOf(main)).toContain('Ваш номер +7 916 …-45-67.');
    expect(textOf(await receiptOf({ phone: '+375291234567' }))).toContain('+37…4567');
    one(main, `a[href="/contact?preset=${least.slug}"]`);
  });
});

describe('a form with mistakes', () => {
  const wrong = { ...filled, phone: 'canary', message: ' ', page: plainService, 'attribution.utm_source': 'canary' };

  test('lists each mistake with a link to its field, which shows the same message', async () => {
    const answer = await site.post({ preset: most.slug });
    const main = expectForm(answer, 422);
    expect(textOf(one(parseHtml(answer.text), 'title'))).toMatch(/^Ошибка: /);
    const summary = one(main, '.error-summary[role="alert"]');
    const links = all(summary, 'a');
    expect(links.map(({ attrs }) => attrs.href)).toEqual(['#field-phone', '#field-message', '#field-consent']);
    for (const link of links) {
      const field = one(main, link.attrs.href ?? '');
      expect(field.attrs['aria-invalid']).toBe('true');
      const notes = (field.attrs['aria-describedby'] ?? '').split(' ').map((id) => textOf(one(main, `#${id}`)));
      expect(notes).toContain(`Ошибка: ${textOf(link)}`);
    }
    expect(textOf(main).indexOf(textOf(summary))).toBeLessThan(textOf(main).indexOf(textOf(most.title)));
    expect(textOf(one(parseHtml((await site.request('/contact')).text), 'title'))).not.toMatch(/^Ошибка/);
  });

  test('keeps a ticked consent, and never ticks it', async () => {
    expect(valuesOf(await site.request('/contact'))).not.toHaveProperty('consent');
    for (const [consent, kept] of [['yes', 'yes'], ['no'], ['']] as const)
      expect(valuesOf(await site.post({ ...wrong, consent })).consent).toBe(kept);
  });

  test('is accepted once corrected, with the page and the campaign that it was opened from', async () => {
    const fields = formData(formOf(await site.post(wrong)));
    fields.set('phone', '+375 29 123-45-67');
    fields.set('message', 'canary');
    const campaign = { utm_source: 'canary' };
    expect(await leadOf(await site.post(fields))).toMatchObject({
      ...{ phone: '+375291234567', preset: most.slug, page: plainService, attribution: campaign },
    });
  });
});

test('any words of a visitor are stored tidied but complete, and appear only as text on the form and at the desk', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const cookie = `desk=${await site.services.links.add({ lead: null, name: 'Борис', until })}`;
  const headers = { 'user-agent': 'Mozilla/5.0 canary', 'x-request-id': 'canary-canary', 'x-forwarded-for': 'canary' };

  /** The words of others on a page. Expects every link to stay on this site. */
  const wordsIn = (main: Element) => {
    const links = all(main, '[href]:not(.social-links a)').map(({ attrs }) => attrs.href);
    expect(links.filter((href) => !/^(\/(?!\/)|#|tel:\+|http:\/\/localhost:3000\/)/.test(href ?? ''))).toEqual([]);
    return all(main, 'bdi').map(({ text }) => text);
  };
  const atDesk = async (path: string) => wordsIn(mainOf(await site.request(path, { headers: { cookie } })));

  await fc.assert(
    fc.asyncProperty(hostileForm, async ({ name, phoneTyped, message, page, attribution }) => {
      const campaign = Object.entries(attribution).map(([key, value]) => [`attribution.${key}`, `canary ${value}`]);
      const words = { name: `Canary ${name}`.slice(0, 50).toWellFormed(), message: `Canary ${message}`.toWellFormed() };
      const hidden = { ...Object.fromEntries(campaign), ...slowly(), page: `/${page}` };
      const phone = `canary ${phoneTyped}`.slice(0, 50).toWellFormed().replace(/\p{N}/gu, '');

      const refused = await site.post({ ...hidden, ...words, phone }, headers);
      wordsIn(expectForm(refused, 422));
      expect(valuesOf(refused)).toMatchObject({ ...words, phone });

      const lead = await leadOf(await site.post({ ...hidden, ...words, phone: `${filled.phone} ${phone}` }, headers));
      const [kept, said] = [tidyLine(words.name), tidyText(words.message)];
      expect(lead).toMatchObject({ name: kept, phone: '+79161234567', message: said });
      expect(await atDesk(`/desk/leads/${lead.number}`)).toEqual(expect.arrayContaining([kept, said, lead.phoneTyped]));
      expect(await atDesk(lead.state === 'waiting' ? '/desk/leads' : '/desk/quarantine')).toContain(kept);
    }),
    { numRuns: 25 },
  );
});

describe('possible spam', () => {
  const unsaid = { 'sec-fetch-site': undefined };

  test.each<[string, Record<string, string>, Record<string, string | undefined>, string[], string]>([
    ['a form of this site', {}, { 'sec-fetch-site': 'same-site' }, [], 'waiting'],
    ['an older browser', {}, { ...unsaid, origin: siteUrl }, [], 'waiting'],
    ['an older browser at another host name of the site', {}, { ...unsaid, origin: site.url }, [], 'waiting'],
    ['a browser that sends no origin', {}, unsaid, ['no-origin'], 'waiting'],
    ['a browser that sends a null origin', {}, { ...unsaid, origin: 'null' }, ['no-origin'], 'waiting'],
    ['a filled honeypot', { website: 'canary' }, {}, ['honeypot'], 'waiting'],
    [
      'a script that leaves a link',
      { key: '', message: 'Подробнее на сайте https://canary.example.com' },
      unsaid,
      ['no-origin', 'no-form', 'link', 'off-topic', 'pitch'],
      'quarantined',
    ],
  ])('is accepted, and its signals are stored: %s', async (_, fields, headers, signals, state) => {
    const sent = await site.post({ ...slowly(), ...fields }, headers);
    expect(await leadOf(sent)).toMatchObject({ signals, state });
    expect((await site.request(sent.headers.location ?? '')).text).toContain('принята');
  });

  test.each([
    { 'sec-fetch-site': 'cross-site', origin: siteUrl },
    { ...unsaid, origin: 'https://example.com' },
    { ...unsaid, origin: `${siteUrl}.example.com` },
    { ...unsaid, origin: 'nonsense' },
  ])('a form sent from another site returns 403, and can be sent again from here: %j', async (headers) => {
    const before = (await leadsIn(site)).length;
    const answer = await site.post(filled, headers);
    expect(noticeOf(expectForm(answer, 403))).toContain('ещё не отправлена');
    const json = await site.post(filled, { ...headers, accept: 'application/json' });
    expect(JSON.parse(json.text)).toMatchObject({
      statusCode: 403,
      message: expect.stringContaining('ещё не отправлена'),
    });
    expect(await leadsIn(site)).toHaveLength(before);
    // The box ticked by the other site does not count.
    const { consent, ...words } = filled;
    expect(valuesOf(answer)).toMatchObject(words);
    expect(valuesOf(answer)).not.toHaveProperty('consent');
    await leadOf(await site.post({ ...valuesOf(answer), consent }));
  });
});

describe('a challenge token', () => {
  const token = 'canary-token';
  const asked: string[] = [];
  let outcome: ChallengeOutcome = { verdict: 'passed' };
  const challenged = start({
    challenge: async (given) => {
      asked.push(given);
      return outcome;
    },
  });
  const withToken = () => ({ ...slowly(), 'cf-turnstile-response': token });

  test.each<[ChallengeOutcome, string[]]>([
    [{ verdict: 'failed', reason: 'invalid-input-response' }, ['challenge']],
    [{ verdict: 'unknown', reason: 'no-token' }, []],
    [{ verdict: 'unknown', reason: 'timeout' }, []],
    [{ verdict: 'passed' }, []],
  ])('adds its outcome to the signals of the lead, and only the outcome is logged: %j', async (given, signals) => {
    const strict = await challenged;
    outcome = given;
    expect(await leadOf(await strict.post(withToken()), strict)).toMatchObject({ signals, state: 'waiting' });
    expect(asked.at(-1)).toBe(token);
    expect(strict.logs.join('')).toContain(`"challenge":${JSON.stringify(given)}`);
  });

  test('is not verified for a form that is refused', async () => {
    const strict = await challenged;
    asked.length = 0;
    expect((await strict.post({ ...withToken(), phone: '12' })).status).toBe(422);
    expect((await strict.post(withToken(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('is requested only when a site key is configured, and no page repeats it', async () => {
    const integrations = { turnstileSiteKey: 'a-site-key' };
    const keyed = await start({ site: { ...shown, content: { ...content, integrations } } });
    const form = formOf(await keyed.request('/contact'));
    one(form, '#cf-turnstile[hidden][data-sitekey="a-site-key"]');
    const back = await keyed.post({ ...withToken(), phone: '12' });
    one(formOf(back), '#cf-turnstile:not([hidden])');
    expect(back.text).not.toContain(token);
    const without = formOf(await site.request('/contact'));
    expect(all(without, '#cf-turnstile')).toEqual([]);
    // The legal texts open in a new tab, so the form stays open.
    const links = [...all(without, 'a'), ...all(form, 'a')];
    expect(links.map(({ attrs }) => attrs.target)).toEqual(Array(3).fill('_blank'));
    expect(one(without, 'a').attrs.href).toBe('/consent');
  });
});

/** The legitimate samples of the spam corpus. */
const honest: [name: string, phone: string, message: string][] = Object.values(
  JSON.parse(readFileSync(new URL('../../tests/support/spam/seen.json', import.meta.url), 'utf8')).legitimate,
).flat() as typeof honest;

describe('many forms from one address', () => {
  test('all become leads when people wrote them, and above a limit their notifications are batched once a minute', async () => {
    // The channel sends nothing, so every delivery waits.
    const chat: Channel = { name: 'chat', parallel: 0, joins: true, deliver: async () => {} };
    const { post, services } = await start({ channels: [chat], limiters: limitersAfter({ forms: 0 }) });
    const people = honest.filter(([name]) => name !== '').slice(0, 300);
    const answers = await Promise.all(
      people.map(([name, phone, message]) => post({ ...slowly(), preset: calculation.slug, name, phone, message })),
    );
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 303));
    const { leads, deliveries } = services;
    const stored = await leads.list({ limit: 301 });
    expect(stored.map(({ state }) => state)).toEqual(people.map(() => 'waiting'));
    const crowded = stored.filter(({ signals }) => signals.includes('shared-address'));
    expect(crowded).toHaveLength(300 - 60);
    const [delivery] = await deliveries.of(crowded[0]?.number ?? 0);
    const notifiedAt = Date.parse(delivery?.at ?? '');
    expect(notifiedAt % minuteMs).toBe(0);
    expect(notifiedAt).toBeGreaterThanOrEqual(Date.parse(crowded[0]?.receivedAt ?? ''));

    const now = new Date(Date.now() + minuteMs).toISOString();
    const messages = [];
    do
      messages.push(
        await deliveries.claim('chat', { limit: 40, maxSeparateMessages: 3, now, latest: '2099', leaseUntil: '2098' }),
      );
    while (messages.at(-1)?.length);
    expect([messages.flat().length, messages.length]).toEqual([300, 9]);
  });

  test('return 429 with a number to call beyond the rate limit', async () => {
    const busy = await start({ limiters: limitersAfter({ forms: limits.forms.limit - 1 }) });
    await leadOf(await busy.post(filled), busy);
    const answer = await busy.post(filled);
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(textOf(parseHtml(answer.text))).toMatch(/ещё не отправлена.*8 \(800\)/s);
    expect(await leadsIn(busy)).toHaveLength(1);
  });
});

const foreseen = brokenLeads();
const unforeseen = fakeLeads({
  add: async () => {
    throw new TypeError('undefined is not a function');
  },
});
test.each([
  ['the disk is full', foreseen],
  ['undefined is not a function', unforeseen],
])(
  'a failing store returns 503, keeps the typed values, shows a number to call and never reports success: %s',
  async (why, leads) => {
    const broken = await start({ leads });
    const answer = await broken.post(filled);
    expect(noticeOf(expectForm(answer, 503))).toContain('не отправлена');
    expect(valuesOf(answer)).toMatchObject(filled);
    expect(answer.text).not.toMatch(/принята|disk|undefined/);
    expect(broken.logs.join('')).toContain(why);
    const json = await broken.post(filled, { accept: 'application/json' });
    expect(JSON.parse(json.text)).toMatchObject({ statusCode: 503, message: expect.stringContaining('не отправлена') });
  },
);

test('an outage of the store logs one line without a stack, and at its end how many forms were refused', async () => {
  const stored = fakeLeads();
  const { add: refuse } = brokenLeads();
  const leads = { ...stored, add: refuse };
  const { logs, post } = await start({ leads });
  for (let sent = 0; sent < 3; sent++) await post(filled);
  leads.add = stored.add;
  await post(filled);
  const lines = () => logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request');
  expect(lines()).toMatchObject([
    { err: { message: expect.stringContaining('the disk is full') }, msg: expect.stringContaining('cannot be stored') },
    { refused: 3, msg: 'leads can be stored again' },
  ]);
  expect(logs.join('')).not.toContain('stack');
});

describe('a body', () => {
  const form = 'application/x-www-form-urlencoded';
  const body = new URLSearchParams({ ...filled, extra: '' }).toString();
  const post = (sent: string, headers: Record<string, string> = {}) =>
    site.request('/contact', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': form, ...headers },
      body: sent,
    });

  test('is refused in JSON when the client accepts JSON', async () => {
    const refused = await post(body.replace(/phone=[^&]*/, 'phone=1'), { accept: 'application/json' });
    expect(JSON.parse(refused.text)).toEqual({
      statusCode: 422,
      message: expect.stringContaining('Проверьте номер'),
      fatal: false,
    });
    const unread = await post('{}', { accept: 'application/json', 'content-type': 'application/json' });
    expect(JSON.parse(unread.text)).toMatchObject({ statusCode: 415 });
  });

  test('may have 200 fields, and with more returns 413 and the form', async () => {
    const fields = (most: number) => body + '&a'.repeat(most - body.split('&').length);
    await leadOf(await post(fields(200)));
    expect(noticeOf(expectForm(await post(fields(201)), 413))).toContain('слишком длинное');
  });

  test('may have 64 KB, and with more returns 413 and the form', async () => {
    const others = `&other=${'x'.repeat(10_000)}`.repeat(7);
    const ofSize = (bytes: number) => post((body + others).slice(0, bytes));
    await leadOf(await ofSize(64 * 1024));
    expect(noticeOf(expectForm(await ofSize(64 * 1024 + 1), 413))).toContain('слишком длинное');
  });

  test('keeps a text of 16,000 characters, and with a longer one returns 413 and an empty form', async () => {
    const text = async (length: number, status: number) => {
      const main = expectForm(await site.post({ ...filled, message: '<'.repeat(length) }), status);
      return one(main, 'textarea').textContent;
    };
    expect(await text(16_000, 422)).toBe('<'.repeat(16_000));
    expect(await text(16_001, 413)).toBe('');
  });

  test.each<[number, Record<string, string>]>([
    [415, { 'content-type': `${form}; charset=nonsense` }],
    [415, { 'content-type': 'application/json' }],
    [415, { 'content-type': 'multipart/form-data; boundary=x' }],
    [415, { 'content-type': '' }],
    [415, { 'content-encoding': 'gzip' }],
  ])('returns %i and the form when it cannot be read: %j', async (status, headers) => {
    expect(noticeOf(expectForm(await post(body, headers), status))).toContain('Заполните форму ещё раз');
  });
});

test('logs and console contain no word of a form and no receipt, whether the form is accepted, refused or lost', async () => {
  const consoles = [jest.spyOn(console, 'error'), jest.spyOn(console, 'warn')];
  const token = 'canary-token';
  const taking = await start({ challenge: async () => ({ verdict: 'failed', reason: 'invalid-input-response' }) });
  const full = await start({ limiters: limitersAfter({ forms: limits.forms.limit }) });
  const [lost, broken] = [await start({ leads: foreseen }), await start({ leads: unforeseen })];
  const answers = [
    await taking.post({ ...slowly(), 'cf-turnstile-response': token }),
    await taking.post({ ...filled, phone: '12' }),
    await full.post(filled),
    await lost.post(filled),
    await broken.post(filled),
  ];
  expect(answers.map(({ status }) => status)).toEqual([303, 422, 429, 503, 503]);
  const lines = [taking, full, lost, broken].flatMap(({ logs }) => logs);
  expect(lines.length).toBeGreaterThan(answers.length);
  const receipt = String(answers[0]?.headers.location).slice('/contact/'.length);
  const words = [receipt, 'canary', 'Анна', '9161234567', '123-45-67'].map((word) => word.toLowerCase());
  expect(lines.filter((line) => words.some((word) => line.toLowerCase().includes(word)))).toEqual([]);
  for (const spy of consoles) expect(spy).not.toHaveBeenCalled();
});

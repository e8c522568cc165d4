import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Lead } from '../leads/store/lead.ts';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { calculationPreset, plainService } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the form says where a visitor came from, and helps with the phone');
const { site, front, newPage } = withVisitors();

const phoneField = (page: Page) => page.getByLabel('Телефон');

/** Fills in what the form asks besides the phone, sends it, and reads the lead from the store. */
async function send(page: Page, phone?: string): Promise<Lead> {
  const name = page.getByLabel('Как к вам обращаться');
  if (await name.isVisible()) await name.fill('Анна');
  if (phone !== undefined) await phoneField(page).fill(phone);
  await page.getByLabel(/обработку персональных данных/).check();
  await page.locator('.contact form button').click();
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  const [lead] = await site().services.leads.list({ limit: 1 });
  if (lead === undefined) throw new Error('A receipt was shown, and there is no lead.');
  return lead;
}

describe('parameters of the landing address', () => {
  const landing = '/rates?utm_source=ya&utm_term=a&UTM_TERM=b&from=card';
  const sent = { utm_source: 'ya', utm_term: 'a,b', from: 'card' };

  /** What the browser keeps of landings. */
  const kept = (page: Page) => page.evaluate('({ ...localStorage })');
  const keptParameters = async (page: Page) => {
    const { attribution } = (await kept(page)) as { attribution?: string };
    return attribution && JSON.parse(attribution).parameters;
  };

  async function land(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await moduleRan(page, 'attribution');
  }

  browserTest('are kept by name, several values joined, and sent with a form that was opened elsewhere', async () => {
    const page = await newPage();
    await page.goto(landing);
    await moduleRan(page, 'attribution');
    expect(await keptParameters(page)).toEqual(sent);
    await page.goto(`${plainService}?page=2`);
    await page.locator('main a[href^="/contact?preset="]').first().click();
    await page.locator('dialog').waitFor();
    await eventually(() => page.locator('dialog input[data-mask]').count(), 1);
    await moduleRan(page, 'contact-form');
    await moduleRan(page, 'attribution');
    const lead = await send(page, '8 916 123-45-67');
    expect(lead).toMatchObject({ attribution: sent, page: plainService });
  });

  browserTest('are those of the last campaign alone; another landing takes the place of none', async () => {
    const page = await newPage();
    await land(page, '/rates?page=3');
    expect(await keptParameters(page)).toEqual({ page: '3' });
    await land(page, landing);
    await land(page, '/rates?q=склад&page=2');
    expect(await keptParameters(page)).toEqual(sent);
    await land(page, '/rates?yclid=7&x=1');
    expect(await keptParameters(page)).toEqual({ yclid: '7', x: '1' });
  });

  browserTest('are forgotten after 90 days', async () => {
    const page = await newPage();
    await land(page, landing);
    const age = (days: number) =>
      page.evaluate(`localStorage.attribution = JSON.stringify(
        { ...JSON.parse(localStorage.attribution), at: Date.now() - ${days} * 86_400_000 })`);
    await age(89);
    await land(page, '/rates?page=2');
    expect(await keptParameters(page)).toEqual(sent);
    await age(91);
    await page.goto('/contact?preset=request');
    await moduleRan(page, 'contact-form');
    expect((await send(page, '8 916 123-45-67')).attribution).toEqual({});
    expect(await kept(page)).toEqual({});
  });

  browserTest('that are too many or too long are cut', async () => {
    const page = await newPage();
    const many = Array.from({ length: 300 }, (_, n) => `&utm_${n}=${'я'.repeat(n < 5 ? 201 : 1)}`).join('');
    await land(page, `/rates?${'n'.repeat(41)}=1&a.b=1${many}`);
    const parameters = await keptParameters(page);
    expect(Object.keys(parameters)).toEqual(Array.from({ length: 20 }, (_, n) => `utm_${n}`));
    expect(parameters.utm_0).toBe('я'.repeat(200));
    expect(Object.keys((await kept(page)) as object)).toEqual(['attribution']);
    await page.goto('/contact?preset=request');
    await moduleRan(page, 'contact-form');
    await moduleRan(page, 'attribution');
    expect((await send(page, '8 916 123-45-67')).attribution).toEqual(parameters);
  });

  browserTest('are sent from the page of the form, too; its own parameter is none of them', async () => {
    const page = await newPage();
    await page.goto('/contact?preset=request&utm_source=mail');
    await moduleRan(page, 'contact-form');
    await moduleRan(page, 'attribution');
    await moduleRan(page, 'attribution');
    expect((await send(page, '8 916 123-45-67')).attribution).toEqual({ utm_source: 'mail' });
  });

  const denied = `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })`;
  browserTest.each<[string, BrowserContextOptions, string]>([
    ['script', { javaScriptEnabled: false }, ''],
    ['storage', {}, denied],
  ])('reach the store without %s, if the form is opened from there', async (_what, options, init) => {
    const page = await newPage(options);
    await page.addInitScript(init);
    await page.goto(landing.replace('/rates', plainService));
    if (init) await moduleRan(page, 'loading-bar');
    await page.locator('main a[href^="/contact?preset="]').first().click();
    await page.locator('.contact form').waitFor();
    expect((await send(page, '8 916 123-45-67')).attribution).toMatchObject({ utm_source: 'ya', from: 'card' });
  });
});

describe('a form that was sent with a mistake', () => {
  const message = (page: Page) => page.locator('.contact form textarea');

  /** Sends the form without a phone, is told so, mends it, and gets the receipt. */
  async function mend(page: Page): Promise<void> {
    await page.goto(plainService);
    await page.goto('/contact?preset=request');
    await message(page).fill('Сколько стоит?');
    await page.locator('.contact form button').click();
    await page.locator('[role=alert]').waitFor();
    expect(await page.title()).toMatch(/^Ошибка: /);
    expect(await message(page).inputValue()).toBe('Сколько стоит?');
    await send(page, '8 916 123-45-67');
  }
  const heading = (page: Page) => page.locator('h1').innerText();

  browserTest(
    'says what is wrong where it stands, and is read from there; the way back leads over no answer',
    async () => {
      const page = await newPage();
      const complaints = complaintsOf(page);
      await mend(page);
      expect(front().asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
      await page.goBack();
      expect(page.url()).toBe(`${front().url}/contact?preset=request`);
      expect(await page.locator('.contact form').count()).toBe(1);
      await page.goBack();
      expect(page.url()).toBe(`${front().url}${plainService}`);
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    },
  );

  browserTest('can be gone back to from the receipt without a script, with all that was typed', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await mend(page);
    await page.goBack();
    expect(await page.title()).toMatch(/^Ошибка: /);
    expect(await message(page).inputValue()).toBe('Сколько стоит?');
    await page.goBack();
    const { presets } = site().services.site.content;
    expect(await heading(page)).toBe(presets.find(({ slug }) => slug === 'request')?.title);
    await page.goForward();
    await page.goForward();
    expect(await heading(page)).toMatch(/принята$/);
  });

  browserTest('has the focus on what is wrong, however it came', async () => {
    const page = await newPage();
    await page.goto('/contact?preset=request');
    await page.evaluate(`document.querySelector('.contact form').submit()`);
    await page.waitForURL(/\/contact$/);
    await moduleRan(page, 'contact-form');
    expect(await page.evaluate('document.activeElement.className')).toBe('error-summary');
  });
});

describe('in the first window', () => {
  const bottomOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
  };

  browserTest.each([
    [1280, 'the button is in sight', '.contact [type=submit]'],
    [360, 'the field that matters is in sight', '.contact [name=phone]'],
  ])('of %i×640 %s, on every form, with a calculation, and in a dialog', async (width, _, selector) => {
    const { presets, calculator } = site().services.site.content;
    const order = new URLSearchParams({
      preset: calculationPreset,
      calc: `${new URLSearchParams(calculator.example)}`,
    });
    const page = await newPage({ viewport: { width, height: 640 }, reducedMotion: 'reduce' });
    const low: string[] = [];
    for (const query of [...presets.map(({ slug }) => `preset=${slug}`), `${order}`]) {
      await page.goto(`/contact?${query}`);
      if ((await bottomOf(page, selector)) > 640) low.push(query);
      await page.goto('/policy');
      await page.evaluate(`{
        const link = document.createElement('a');
        link.href = ${JSON.stringify(`/contact?${query}`)};
        document.querySelector('main').append(link);
        link.click();
      }`);
      await page.locator('dialog .contact').waitFor();
      if ((await bottomOf(page, `dialog ${selector}`)) > 640) low.push(`dialog ${query}`);
    }
    expect(low).toEqual([]);
  });
});

describe('the phone field', () => {
  /** Opens the form, goes into the field, and waits for the help that comes with it. */
  async function open(page: Page): Promise<Page> {
    await page.goto('/contact?preset=request');
    await moduleRan(page, 'contact-form');
    await phoneField(page).focus();
    await moduleRan(page, 'mask');
    return page;
  }
  const shown = (page: Page) => phoneField(page).inputValue();

  browserTest('gets its mask at the first focus, and not before', async () => {
    const page = await newPage();
    const masks = () => front().asked.filter(({ path }) => path.includes('/assets/mask.')).length;
    await page.goto('/contact?preset=request');
    await moduleRan(page, 'contact-form');
    await page.getByLabel('Как к вам обращаться').focus();
    await page.evaluate(`fetch('/healthz').then(() => {})`);
    expect(masks()).toBe(0);
    await phoneField(page).focus();
    await moduleRan(page, 'mask');
    await page.getByLabel('Как к вам обращаться').focus();
    await phoneField(page).focus();
    expect(masks()).toBe(1);
  });

  browserTest('shows a number in one form as it is typed, and keeps what else was typed', async () => {
    const page = await newPage();
    for (const typed of ['89161234567', '+79161234567', '9161234567', '8 (916) 123 45 67']) {
      await open(page);
      await phoneField(page).pressSequentially(typed);
      expect([typed, await shown(page)]).toEqual([typed, '+7 (916) 123-45-67']);
    }
    expect((await send(page)).phone).toBe('+79161234567');
    for (const [typed = '', stored] of [
      ['+375 29 123-45-67', '+375291234567'],
      ['998901234567', '+998901234567'],
      ['89161234567 доб. 12', '+79161234567'],
      ['8 916 123-45-67, после 18:00', '+79161234567'],
    ]) {
      await open(page);
      await phoneField(page).pressSequentially(typed);
      const words = /[а-я]/.test(typed) ? typed.slice(typed.search(/[ ,]+[а-я]/)) : typed;
      expect(await shown(page)).toContain(words);
      expect(await send(page)).toMatchObject({ phone: stored, phoneTyped: expect.stringContaining(words.trim()) });
    }
  });

  browserTest('takes a number that is pasted, however it is written', async () => {
    const page = await newPage();
    for (const [pasted = '', stored] of [
      ['8 (916) 123-45-67', '+79161234567'],
      ['+7 916 123 45 67', '+79161234567'],
      ['+375 29 123-45-67', '+375291234567'],
      ['+998 90 123-45-67', '+998901234567'],
    ]) {
      await open(page);
      await page.keyboard.insertText(pasted);
      expect([pasted, (await send(page)).phone]).toEqual([pasted, stored]);
    }
  });

  browserTest('takes what the browser fills in by itself', async () => {
    const page = await open(await newPage());
    await page.evaluate(`{
      const field = document.activeElement;
      field.value = '+79161234567';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    expect((await send(page)).phone).toBe('+79161234567');
  });

  browserTest('lets its visitor take away and mend in the middle, without a jump', async () => {
    const page = await open(await newPage());
    await phoneField(page).pressSequentially('89161234567');
    for (let time = 0; time < 4; time++) await page.keyboard.press('Backspace');
    expect(await shown(page)).toBe('+7 (916) 123-4');
    await page.keyboard.type('999');
    expect(await shown(page)).toBe('+7 (916) 123-49-99');

    const caret = () => page.evaluate('document.activeElement.selectionStart');
    for (let time = 0; time < 8; time++) await page.keyboard.press('ArrowLeft');
    expect(await caret()).toBe(10);
    await page.keyboard.press('Backspace');
    expect([await shown(page), await caret()]).toEqual(['+7 (916) 23-49-99', 9]);
    await page.keyboard.type('5');
    expect([await shown(page), await caret()]).toEqual(['+7 (916) 523-49-99', 10]);
    expect((await send(page)).phone).toBe('+79165234999');
  });

  browserTest('lets its visitor empty it', async () => {
    const page = await open(await newPage());
    await phoneField(page).pressSequentially('8916');
    for (let time = 0; time < 10; time++) await page.keyboard.press('Backspace');
    expect(await shown(page)).toBe('');
  });
});

browserTest.each([true, false])(
  'a form that came back says first what to correct (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const page = await newPage({ javaScriptEnabled });
    await page.goto('/contact?preset=request');
    await page.locator('main form [type=submit]').click();
    await page.locator('.error-summary').waitFor();
    await eventually(() => page.evaluate('document.activeElement.className'), 'error-summary');
  },
);

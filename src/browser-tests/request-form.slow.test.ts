import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Lead } from '../leads/store/lead.ts';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { moduleRan, withVisitors } from '../testing/visitors.ts';

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
  const landing = '/rates?utm_source=ya&utm_term=a&utm_term=b&UTM_Bad=x';

  browserTest('are kept by name, several values joined, and sent with a form that was opened elsewhere', async () => {
    const page = await newPage();
    await page.goto(landing);
    await moduleRan(page, 'attribution');
    expect(await page.evaluate('({ ...localStorage })')).toMatchObject({
      'attribution.utm_source': 'ya',
      'attribution.utm_term': 'a,b',
    });
    await page.goto('/services/photo');
    await page.locator('main a[href^="/contact?preset="]').first().click();
    await page.locator('dialog').waitFor();
    await eventually(() => page.locator('dialog input[data-mask]').count(), 1);
    await moduleRan(page, 'contact-form');
    const lead = await send(page, '8 916 123-45-67');
    expect(lead).toMatchObject({ attribution: { utm_source: 'ya', utm_term: 'a,b' }, page: '/services/photo' });
  });

  browserTest('are sent from the page of the form, too; its own parameter is none of them', async () => {
    const page = await newPage();
    await page.goto('/contact?preset=bonus&utm_source=mail');
    await moduleRan(page, 'contact-form');
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
    await page.goto(landing.replace('/rates', '/services/photo'));
    if (init) await moduleRan(page, 'loading-bar');
    await page.locator('main a[href^="/contact?preset="]').first().click();
    await page.locator('.contact form').waitFor();
    expect((await send(page, '8 916 123-45-67')).attribution).toMatchObject({ utm_source: 'ya' });
  });
});

describe('the phone field', () => {
  /** Opens the form, goes into the field, and waits for the help that comes with it. */
  async function open(page: Page): Promise<Page> {
    await page.goto('/contact?preset=bonus');
    await moduleRan(page, 'contact-form');
    await phoneField(page).focus();
    await moduleRan(page, 'mask');
    return page;
  }
  const shown = (page: Page) => phoneField(page).inputValue();

  browserTest('gets its mask at the first focus, and not before', async () => {
    const page = await newPage();
    const masks = () => front().asked.filter(({ path }) => path.includes('/assets/mask.')).length;
    await page.goto('/contact?preset=question');
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

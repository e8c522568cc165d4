import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Lead } from '../../leads/store/lead.ts';
import { eventually } from '../support/eventually.ts';
import { formLink, journey, keyboard, pointer } from '../support/journey.ts';
import { calculationPreset, order, plainService } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { complaintsOf, moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { site, front, newPage } = withVisitors();

const dialog = (page: Page) => page.locator('dialog');
const toForm = (page: Page) => page.locator(formLink);
const nameField = (page: Page) => page.getByLabel('Как к вам обращаться');
const phoneField = (page: Page) => page.getByLabel('Телефон');
const messageField = (page: Page) => page.locator('.contact textarea');
const submit = (page: Page) => page.locator('.contact form [type=submit]');
/** Reads a property of the focused element. */
const focused = (page: Page, property: string) => page.evaluate(`document.activeElement.${property}`);
const posts = () => front().asked.filter(({ method }) => method === 'POST');
const denied = `
  const denied = { get() { throw new Error('denied'); }, set() { throw new Error('denied'); } };
  Object.defineProperty(window, 'localStorage', denied);
  Object.defineProperty(window, 'sessionStorage', denied);
  Object.defineProperty(Document.prototype, 'cookie', denied);`;
const phone = '+7 (916) 123-45-67';

async function openForm(page: Page): Promise<void> {
  await page.goto('/contact?preset=request');
  await moduleRan(page, 'contact-form');
}

/** Opens a dialog and waits until its form is bound. */
async function openDialog(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage({ reducedMotion: 'reduce', ...options });
  await page.goto(plainService);
  await toForm(page).first().click();
  await dialog(page).waitFor();
  await moduleRan(page, 'contact-form');
  return page;
}

async function fill(page: Page, number = phone): Promise<void> {
  await nameField(page).fill('Анна');
  await phoneField(page).fill(number);
  await page.getByLabel(/обработку персональных данных/).check();
}

/** Submits the form and reads the lead from the store. */
async function send(page: Page): Promise<Lead | undefined> {
  await submit(page).click();
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  const [lead] = await site().services.leads.list({ limit: 1 });
  return lead;
}

describe('a visitor gets from the menu to the receipt', () => {
  // The header is a menu at 360 px and a bar at 1280 px.
  browserTest.each([360, 1280])('with the keyboard alone, at %i px', async (width) => {
    const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    const complaints = complaintsOf(page);
    await journey(page, site(), width, keyboard(page));
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  type Without = [what: string, width: number, options: BrowserContextOptions, init: string, blocked: RegExp];
  browserTest.each<Without>([
    ['JavaScript', 360, { javaScriptEnabled: false }, '', /^$/],
    ['the script of the site', 1280, {}, '', /^\/assets\//],
    ['storage', 360, {}, denied, /^$/],
  ])('without %s, at %i px', async (_, width, options, init, blocked) => {
    front().intercept((req, _res, pass) => (blocked.test(req.url ?? '') ? req.destroy() : pass()));
    const page = await newPage({ viewport: { width, height: 800 }, ...options });
    await page.addInitScript(init);
    const thrown: Error[] = [];
    page.on('pageerror', (error) => thrown.push(error));
    await journey(page, site(), width, pointer);
    expect(thrown).toEqual([]);
  });
});

describe('campaign attribution', () => {
  const landing = 'utm_source=ya&utm_term=a&UTM_TERM=b&from=card';
  const sent = { utm_source: 'ya', utm_term: 'a,b', from: 'card' };
  const storage = (page: Page) => page.evaluate('({ ...localStorage })') as Promise<{ attribution?: string }>;
  const kept = async (page: Page) => JSON.parse((await storage(page)).attribution ?? '{}').parameters;
  /** The attribution fields of the form. */
  const inForm = (page: Page) =>
    page.evaluate(`Object.fromEntries([...document.querySelectorAll('.contact [name^="attribution."]')]
      .map(({ name, value }) => [name.replace('attribution.', ''), value]))`);

  async function land(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await moduleRan(page, 'attribution');
  }

  browserTest('is stored for 90 days and sent with a form on another page', async () => {
    const page = await newPage();
    await land(page, '/rates?page=3');
    expect(await storage(page)).toEqual({});
    await land(page, `/rates?${landing}`);
    expect(await kept(page)).toEqual(sent);
    await land(page, '/rates?q=склад&page=2');
    expect(await kept(page)).toEqual(sent);
    const age = (days: number) =>
      page.evaluate(`localStorage.attribution = JSON.stringify(
        { ...JSON.parse(localStorage.attribution), at: Date.now() - ${days} * 86_400_000 })`);
    await age(89);
    await page.goto(plainService);
    await toForm(page).first().click();
    await eventually(() => inForm(page), sent);
    await fill(page);
    expect(await send(page)).toMatchObject({ attribution: sent, page: plainService });
    await age(91);
    await openForm(page);
    await eventually(() => storage(page), {});
    expect(await inForm(page)).toEqual({});
  });

  browserTest('is replaced by the next campaign, cut to its limits, and excludes parameters of the form', async () => {
    const page = await newPage();
    await land(page, `/rates?${landing}`);
    await land(page, '/rates?yclid=7&x=1');
    expect(await kept(page)).toEqual({ yclid: '7', x: '1' });
    const many = Array.from({ length: 30 }, (_, n) => `&utm_${n}=${'я'.repeat(n < 2 ? 201 : 1)}`).join('');
    await land(page, `/rates?${'n'.repeat(41)}=1&a.b=1${many}`);
    const parameters = await kept(page);
    expect(Object.keys(parameters)).toEqual(Array.from({ length: 20 }, (_, n) => `utm_${n}`));
    expect(parameters.utm_0).toBe('я'.repeat(200));
    await land(page, '/contact?preset=request&utm_source=mail');
    expect(await kept(page)).toEqual({ utm_source: 'mail' });
    await moduleRan(page, 'contact-form');
    await fill(page);
    expect(await inForm(page)).toEqual({ utm_source: 'mail' });
    expect((await send(page))?.attribution).toEqual({ utm_source: 'mail' });
  });
});

describe('a form on its page', () => {
  browserTest('shows errors first, and going back from the receipt skips the error page', async () => {
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto(plainService);
    await page.goto('/contact?preset=request');
    await messageField(page).fill('Сколько стоит?');
    await submit(page).click();
    await eventually(() => focused(page, 'className'), 'error-summary');
    expect(await page.title()).toMatch(/^Ошибка: /);
    expect(await messageField(page).inputValue()).toBe('Сколько стоит?');
    await fill(page);
    await send(page);
    expect(posts()).toHaveLength(2);
    for (const path of ['/contact?preset=request', plainService]) {
      await page.goBack();
      expect(page.url()).toBe(front().url + path);
    }
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  browserTest(
    'makes one lead of the same words, although its visitor goes back and sends it again without a script',
    async () => {
      const page = await newPage({ javaScriptEnabled: false });
      await page.goto('/contact?preset=request');
      await fill(page);
      const receipts: string[] = [];
      for (const _ of ['sent', 'sent again']) {
        await send(page);
        receipts.push(page.url());
        await page.goBack();
      }
      expect(receipts[1]).toBe(receipts[0]);
    },
  );

  browserTest.each([
    [1280, 'its button', '[type=submit]'],
    [360, 'the field that matters', '[name=phone]'],
  ])('has in the first window of %i×640 %s', async (width, _, selector) => {
    const { presets } = site().services.site.content;
    const calculation = `preset=${calculationPreset}&calc=${encodeURIComponent(order)}`;
    const page = await newPage({ viewport: { width, height: 640 }, reducedMotion: 'reduce' });
    for (const query of [...presets.map(({ slug }) => `preset=${slug}`), calculation]) {
      await page.goto(`/contact?${query}`);
      const box = await page.locator(`main .contact ${selector}`).boundingBox();
      expect([query, box !== null && box.y + box.height <= 640]).toEqual([query, true]);
    }
  });
});

describe('the phone field', () => {
  const shown = (page: Page) => phoneField(page).inputValue();

  async function open(): Promise<Page> {
    const page = await newPage();
    await openForm(page);
    await phoneField(page).focus();
    await moduleRan(page, 'mask');
    return page;
  }

  browserTest('formats a typed, pasted or autofilled number, and keeps any other text', async () => {
    const page = await open();
    const autofill = (value: string) =>
      page.evaluate(`{
        const field = document.activeElement;
        field.value = '${value}';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }`);
    const ways = {
      typed: (text: string) => phoneField(page).pressSequentially(text),
      pasted: (text: string) => page.keyboard.insertText(text),
      'filled in': autofill,
    };
    for (const [way, write] of Object.entries(ways)) {
      for (const [text = '', wanted] of [
        ['8 (916) 123 45 67', phone],
        ['+79161234567', phone],
        ['+375 29 123-45-67', '+375 29 123-45-67'],
        ['89161234567 доб. 12', `${phone} доб. 12`],
      ]) {
        await write(text);
        expect([way, text, await shown(page)]).toEqual([way, text, wanted]);
        await phoneField(page).fill('');
      }
    }
  });

  browserTest('keeps the caret in place when digits in the middle are deleted or replaced', async () => {
    const page = await open();
    const press = async (key: string, times: number) => {
      for (let time = 0; time < times; time++) await page.keyboard.press(key);
    };
    const now = async () => [await shown(page), await focused(page, 'selectionStart')];
    await phoneField(page).pressSequentially('89161234999');
    await press('ArrowLeft', 8);
    await press('Backspace', 1);
    expect(await now()).toEqual(['+7 (916) 23-49-99', 9]);
    await page.keyboard.type('5');
    expect(await now()).toEqual(['+7 (916) 523-49-99', 10]);
  });
});

describe('the dialog', () => {
  browserTest('has a new idempotency key each time, and labels and ids of its own', async () => {
    const page = await newPage();
    await page.goto(plainService);
    const keys = new Set<string>();
    for (const link of [toForm(page).first(), toForm(page).last()]) {
      await link.click();
      await dialog(page).waitFor();
      keys.add(await dialog(page).locator('[name=key]').inputValue());
      await dialog(page).getByText('Телефон', { exact: true }).click();
      expect(await focused(page, 'closest("dialog [name=phone]") !== null')).toBe(true);
      const ids = (await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`)) as string[];
      expect(ids).toEqual([...new Set(ids)]);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    }
    expect(keys.size).toBe(2);
  });

  browserTest('belongs to the link that was pressed last, and opens once, in any order of answers', async () => {
    const held: (() => void)[] = [];
    front().intercept((req, _res, pass) => (req.url?.startsWith('/contact?') ? held.push(pass) : pass()));
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto(plainService);
    await toForm(page).first().click();
    await page.evaluate(`{
      const link = [...document.querySelectorAll('main a[href^="/contact?"]')].at(-1);
      link.click();
      link.click();
    }`);
    await eventually(() => held.length, 2);
    const busy = page.locator('[aria-busy]');
    held[0]?.();
    await eventually(() => busy.count(), 1);
    expect(await dialog(page).count()).toBe(0);
    held[1]?.();
    await dialog(page).waitFor();
    await moduleRan(page, 'contact-form');
    expect([await dialog(page).count(), await busy.count(), complaints]).toEqual([1, 0, []]);
  });

  browserTest('takes the focus, traps it and returns it', async () => {
    const page = await newPage();
    await page.goto(plainService);
    await toForm(page).first().press('Enter');
    await dialog(page).waitFor();
    const seen = new Set<unknown>();
    for (let step = 0; step < 16; step++) {
      // The tab order leaves the page between the last and the first stop.
      expect(await focused(page, 'closest("body > *:not(dialog)")')).toBeNull();
      seen.add(await focused(page, 'name || document.activeElement.textContent'));
      await page.keyboard.press('Tab');
    }
    expect([...seen]).toEqual(expect.arrayContaining(['Закрыть', 'name', 'phone', 'message', 'consent']));
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await focused(page, 'pathname')).toBe('/contact');
  });

  browserTest('closes by its button or a press behind it, keeps values, and leaves the page in place', async () => {
    const page = await newPage({ reducedMotion: 'reduce' });
    await page.goto(plainService);
    await toForm(page).last().scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    await toForm(page).last().click();
    await dialog(page).waitFor();
    await nameField(page).fill('Анна');
    const field = await nameField(page).boundingBox();
    // Drags a selection from a field to the page behind.
    await page.mouse.move((field?.x ?? 0) + 60, (field?.y ?? 0) + 20);
    await page.mouse.down();
    await page.mouse.move(5, 400, { steps: 4 });
    await page.mouse.up();
    await page.mouse.wheel(0, 600);
    await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))');
    expect(await dialog(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Закрыть' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('scrollY')).toBe(before);
    await toForm(page).last().click();
    expect(await nameField(page).inputValue()).toBe('Анна');
    await page.mouse.click(5, 400);
    await dialog(page).waitFor({ state: 'detached' });
  });

  browserTest('that does not load is given up after 20 seconds, and the page of the form opens', async () => {
    let waiting = false;
    front().intercept((req, res, pass) => {
      if (!req.url?.startsWith('/contact?')) pass();
      else if (req.headers['sec-fetch-dest'] === 'empty') {
        waiting = true;
        res.once('close', () => {
          waiting = false;
        });
      } else if (!waiting) pass();
    });
    const page = await newPage();
    await page.clock.install();
    await page.goto(plainService);
    await toForm(page).first().click();
    await page.locator('[aria-busy]').waitFor();
    await page.clock.fastForward(19_900);
    expect(page.url()).toBe(`${front().url}${plainService}`);
    await page.clock.fastForward(100);
    await page.waitForURL('**/contact?preset=*');
    await nameField(page).waitFor();
  });

  browserTest('keeps the page open when the visitor is offline', async () => {
    const page = await newPage();
    await page.goto(plainService);
    await moduleRan(page, 'loading-bar');
    await page.context().setOffline(true);
    await toForm(page).first().click();
    await eventually(() => page.locator('[aria-busy]').count(), 0);
    // Fires after the timer that makes the page follow a link that failed.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_000))');
    expect(page.url()).toBe(`${front().url}${plainService}`);
    expect(await page.locator('h1').count()).toBe(1);
    await page.context().setOffline(false);
    await eventually(() => page.evaluate('navigator.onLine'));
    await toForm(page).first().click();
    // The form opens in the dialog, or on its page if the browser does not retry a failed module.
    await nameField(page).waitFor();
  });

  browserTest('that was opened from the menu on a phone returns the focus to the menu button', async () => {
    const page = await newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(plainService);
    await moduleRan(page, 'loading-bar');
    await page.locator('.burger > summary').click();
    await page.locator('.burger a[href^="/contact?"]').click();
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => focused(page, 'textContent.trim()'), 'Меню');
  });

  browserTest('does not open over the page of the form, which has the same fields', async () => {
    const page = await newPage({ viewport: { width: 360, height: 740 } });
    await page.goto('/contact?preset=bonus');
    await moduleRan(page, 'contact-form');
    await page.locator('.burger > summary').click();
    await page.locator('.burger a[href^="/contact?"]').click();
    await page.waitForURL('**/contact?preset=request');
    expect(await dialog(page).count()).toBe(0);
    await page.getByText('Телефон', { exact: true }).click();
    expect(await focused(page, 'name')).toBe('phone');
  });
});

describe('a form in the dialog', () => {
  const alert = (page: Page) => dialog(page).getByRole('alert');

  browserTest('shows its errors there, can be corrected there, and is closed behind the receipt', async () => {
    const page = await openDialog();
    await fill(page, '12');
    const key = dialog(page).locator('[name=key]');
    const before = await key.inputValue();
    await submit(page).click();
    await alert(page).waitFor();
    expect(page.url()).toBe(`${front().url}${plainService}`);
    expect(await focused(page, 'role')).toBe('alert');
    expect(await page.locator('h1').count()).toBe(1);
    const values = [await key.inputValue(), await nameField(page).inputValue(), await phoneField(page).inputValue()];
    expect(values).toEqual([before, 'Анна', '12']);

    // The form that replaced the first one has the same phone mask.
    await phoneField(page).fill('');
    await phoneField(page).pressSequentially('89161234567');
    await eventually(() => phoneField(page).inputValue(), phone);
    expect(await send(page)).toMatchObject({ name: 'Анна', page: plainService });
    await page.goBack();
    expect(page.url()).toBe(`${front().url}${plainService}`);
    await eventually(() => dialog(page).count(), 0);
  });

  browserTest('is sent once, however often the button is pressed, and is inert meanwhile', async () => {
    let pass = () => {};
    front().intercept((req, _res, go) => {
      if (req.method === 'POST') pass = go;
      else go();
    });
    const page = await openDialog();
    await fill(page);
    await page.evaluate(`{
      const button = document.querySelector('dialog [type=submit]');
      button.click();
      button.click();
    }`);
    await eventually(() => posts().length, 1);
    expect(await page.evaluate(`document.querySelector('dialog form').inert`)).toBe(true);
    await page.keyboard.press('Enter');
    pass();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect(posts()).toHaveLength(1);
  });

  browserTest('shows an error when no answer arrives, keeps values, and makes one lead when sent again', async () => {
    const count = async () => (await site().services.leads.list({ limit: 1000 })).length;
    const before = await count();
    // The lead arrives but the answer is lost, which is the worst case for a visitor who presses again.
    front().intercept((req, res, pass) => {
      if (req.method === 'POST') res.write = res.end = () => res.destroy() as never;
      pass();
    });
    const page = await openDialog();
    await fill(page);
    for (let time = 0; time < 2; time++) {
      // A browser retries a request whose connection was cut.
      const { length } = posts();
      await submit(page).click();
      await eventually(() => posts().length > length);
      await eventually(() => page.evaluate(`document.querySelector('dialog form').inert`), false);
      expect(await alert(page).innerText()).toContain('пропала связь');
      expect(await alert(page).locator('[href^="tel:"]').isVisible()).toBe(true);
      expect(await focused(page, 'role')).toBe('alert');
      expect([await nameField(page).inputValue(), await phoneField(page).inputValue()]).toEqual(['Анна', phone]);
    }
    front().reset();
    await send(page);
    expect(await count()).toBe(before + 1);
  });

  browserTest('keeps the typed values when the answer is an error page of a proxy, and is posted once', async () => {
    front().intercept((req, res, pass) => (req.method === 'POST' ? res.writeHead(502).end('<h1>502</h1>') : pass()));
    const page = await openDialog();
    await fill(page);
    await submit(page).click();
    await alert(page).waitFor();
    expect(await alert(page).innerText()).toContain('сайт перегружен');
    expect([await nameField(page).inputValue(), posts().length]).toEqual(['Анна', 1]);
    front().reset();
    await send(page);
  });
});

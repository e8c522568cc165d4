import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { articlePage, plainService, studyPage } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the request dialog behaves as one that people trust');
const { site, front, newPage } = withVisitors();

const dialog = (page: Page) => page.locator('dialog');
const toForm = (page: Page) => page.locator('main a[href^="/contact?preset="]').first();
const nameField = (page: Page) => page.getByLabel('Как к вам обращаться');
const isLocked = (page: Page) =>
  page.evaluate('getComputedStyle(document.documentElement).overflow === "hidden"') as Promise<boolean>;

async function open(path = plainService): Promise<Page> {
  const page = await newPage({ reducedMotion: 'reduce' });
  await page.goto(path);
  await toForm(page).click();
  await dialog(page).waitFor();
  return page;
}

describe('two presets that are opened after one another', () => {
  browserTest('are two forms: each has its words, its own key, and labels that lead to its own fields', async () => {
    const page = await newPage();
    await page.goto('/');
    const titles: (string | null)[] = [];
    const keys: (string | null)[] = [];
    for (const link of [
      page.locator('main a[href^="/contact?"]').first(),
      page.locator('main a[href^="/contact?"]').last(),
    ]) {
      await link.click();
      await dialog(page).waitFor();
      expect(await dialog(page).count()).toBe(1);
      titles.push(await dialog(page).locator('h1').textContent());
      keys.push(await dialog(page).locator('[name=key]').getAttribute('value'));
      await dialog(page).getByText('Телефон', { exact: true }).click();
      expect(await page.evaluate('document.activeElement.name + !!document.activeElement.closest("dialog")')).toBe(
        'phonetrue',
      );
      expect(
        await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)
        .filter((id, index, all) => all.indexOf(id) < index)`),
      ).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    }
    expect([new Set(titles).size, new Set(keys).size]).toEqual([2, 2]);
    expect(keys.every((key) => /^[\w-]{22,}$/.test(key ?? ''))).toBe(true);
  });

  browserTest('open only the one that was pressed last, however they arrive', async () => {
    const held: (() => void)[] = [];
    front().intercept((req, _res, pass) => (req.url?.startsWith('/contact?') ? held.push(pass) : pass()));
    const page = await newPage();
    await page.goto('/');
    await page.locator('main a[href^="/contact?"]').first().click();
    await page.locator('main a[href^="/contact?"]').last().click();
    await eventually(() => held.length, 2);
    const busy = page.locator('[aria-busy]');
    held[0]?.();
    await eventually(() => busy.count(), 1);
    expect(await dialog(page).count()).toBe(0);
    held[1]?.();
    await dialog(page).waitFor();
    expect(await dialog(page).count()).toBe(1);
    expect(await busy.count()).toBe(0);
  });
});

browserTest('a double click opens one dialog, and stays', async () => {
  const page = await newPage();
  const complaints = complaintsOf(page);
  await page.goto(plainService);
  await page.evaluate(`{
    const link = document.querySelector('main a[href^="/contact?"]');
    link.click();
    link.click();
  }`);
  await dialog(page).waitFor();
  await moduleRan(page, 'contact-form');
  expect([page.url(), await page.locator('dialog:modal').count()]).toEqual([`${front().url}${plainService}`, 1]);
  expect(complaints).toEqual([]);
});

browserTest('another link that is pressed while the dialog is on its way is followed, and keeps its page', async () => {
  let answer = () => {};
  front().intercept((req, res, pass) => {
    if (req.url?.startsWith('/contact?')) answer = () => void res.writeHead(503).end();
    else if (req.url === '/rates') {
      answer();
      setTimeout(pass, 200);
    } else pass();
  });
  const page = await newPage();
  await page.goto(plainService);
  await toForm(page).press('Enter');
  await page.locator('[aria-busy]').waitFor();
  await page.locator('.site-footer a[href="/rates"]').press('Enter');
  await page.waitForURL('**/rates');
});

describe('focus', () => {
  browserTest('goes in, stays in, and returns to the link', async () => {
    const page = await newPage();
    await page.goto(plainService);
    await toForm(page).focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    const inside = () => page.evaluate(`!!document.activeElement.closest('dialog')`);
    expect(await inside()).toBe(true);
    const seen = new Set<unknown>();
    for (let step = 0; step < 16; step++) {
      seen.add(
        await page.evaluate(`document.activeElement.name || document.activeElement.textContent.trim().slice(0, 30)`),
      );
      await page.keyboard.press('Tab');
      // Between its last and its first stop is the browser itself.
      expect(
        await page.evaluate(`document.activeElement === document.body || !!document.activeElement.closest('dialog')`),
      ).toBe(true);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['Закрыть', 'name', 'phone', 'message', 'consent']));
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toMatch(/^\/contact\?/);
  });
});

describe('the page behind', () => {
  browserTest('is locked while the dialog is open, and stays where it was', async () => {
    const page = await newPage({ reducedMotion: 'reduce' });
    await page.goto(plainService);
    await page.locator('main a[href^="/contact?preset="]').last().scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    await page.locator('main a[href^="/contact?preset="]').last().click();
    await dialog(page).waitFor();
    await eventually(() => isLocked(page), true);
    await page.mouse.move(5, 400);
    await page.mouse.wheel(0, 600);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => isLocked(page), false);
    expect(await page.evaluate('scrollY')).toBe(before);
  });

  browserTest('looks the same under the styles that the dialog brings', async () => {
    const page = await newPage({ reducedMotion: 'reduce' });
    const rects = () =>
      page.evaluate(`[...document.querySelectorAll('body > :not(dialog), main *, footer *')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const { color, backgroundColor, fontSize, fontWeight, opacity } = getComputedStyle(one);
        return [one.className, x, y + scrollY, width, height, color, backgroundColor, fontSize, fontWeight, opacity].join();
      })`);
    for (const path of ['/', plainService, '/questions', studyPage.byId, articlePage.byId]) {
      await page.goto(path);
      await moduleRan(page, 'loading-bar');
      const before = await rects();
      await page.evaluate(`document.querySelector('main a[href^="/contact?"]').click()`);
      await dialog(page).waitFor();
      await eventually(() => page.locator('[aria-busy]').count(), 0);
      await eventually(() => page.locator('.loading-bar').count(), 0);
      expect(await rects()).toEqual(before);
    }
  });
});

describe('a press', () => {
  browserTest('behind the dialog closes it', async () => {
    const page = await open();
    await page.mouse.click(5, 400);
    await dialog(page).waitFor({ state: 'detached' });
  });

  browserTest('on its margin does not', async () => {
    const page = await open();
    const box = await dialog(page).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 8, (box?.y ?? 0) + 100);
    await nameField(page).fill('Анна');
    expect(await dialog(page).count()).toBe(1);
  });

  browserTest('that began in a field and ends behind does not: it has selected text', async () => {
    const page = await open();
    await nameField(page).fill('Анна');
    const box = await nameField(page).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 20);
    await page.mouse.down();
    await page.mouse.move(5, 400, { steps: 4 });
    await page.mouse.up();
    await page.evaluate('1');
    expect(await nameField(page).inputValue()).toBe('Анна');
    expect(await dialog(page).count()).toBe(1);
  });

  browserTest('of its button closes it, and what was typed is there again when it is opened', async () => {
    const page = await open();
    await nameField(page).fill('Анна');
    await page.getByRole('button', { name: 'Закрыть' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => page.evaluate('document.activeElement.pathname'), '/contact');
    const asked = front().asked.length;
    await toForm(page).click();
    await dialog(page).waitFor();
    expect(await nameField(page).inputValue()).toBe('Анна');
    expect(
      front()
        .asked.slice(asked)
        .filter(({ path }) => path.startsWith('/contact')),
    ).toEqual([]);
  });
});

describe('a form that is sent from the dialog', () => {
  const phoneField = (page: Page) => page.getByLabel('Телефон');
  const submit = (page: Page) => dialog(page).locator('[type=submit]');
  const sent = () => front().asked.filter(({ method }) => method === 'POST');

  async function filled(phone: string): Promise<Page> {
    const page = await open();
    await moduleRan(page, 'contact-form');
    await nameField(page).fill('Анна');
    await phoneField(page).fill(phone);
    await dialog(page)
      .getByLabel(/обработку персональных данных/)
      .check();
    return page;
  }

  browserTest('shows its mistakes there, is mended there, and leaves nothing open behind the receipt', async () => {
    const page = await filled('12');
    const { url } = front();
    const key = await dialog(page).locator('[name=key]').inputValue();
    await submit(page).click();
    const alert = dialog(page).getByRole('alert');
    await alert.waitFor();
    expect(page.url()).toBe(`${url}${plainService}`);
    expect(await page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('alert');
    expect(await dialog(page).getAttribute('aria-label')).toMatch(/^Ошибка: /);
    expect(await dialog(page).locator('[name=key]').inputValue()).toBe(key);
    expect([await nameField(page).inputValue(), await phoneField(page).inputValue()]).toEqual(['Анна', '12']);

    // What has come in has the help that the first form had.
    await phoneField(page).fill('');
    await phoneField(page).pressSequentially('89161234567');
    await eventually(() => phoneField(page).inputValue(), '+7 (916) 123-45-67');
    await submit(page).click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect(await site().services.leads.list({ limit: 1 })).toMatchObject([{ name: 'Анна', page: plainService }]);
    await page.goBack();
    expect(page.url()).toBe(`${url}${plainService}`);
    await eventually(() => dialog(page).count(), 0);
    expect(await page.locator('h1').count()).toBe(1);
  });

  browserTest(
    'is sent once, however often its button is pressed, and takes nothing more while it is on its way',
    async () => {
      let pass = () => {};
      front().intercept((req, _res, go) => {
        if (req.method === 'POST') pass = go;
        else go();
      });
      const page = await filled('+7 (916) 123-45-67');
      await page.evaluate(`{
      const button = document.querySelector('dialog [type=submit]');
      button.click();
      button.click();
    }`);
      await eventually(() => sent().length, 1);
      expect(await page.evaluate(`document.querySelector('dialog form').inert`)).toBe(true);
      await page.keyboard.press('Enter');
      expect(sent()).toHaveLength(1);
      pass();
      await page.waitForURL(/\/contact\/[\w-]{22}$/);
    },
  );

  browserTest('says so when no answer comes, loses nothing, and makes one request when it is sent again', async () => {
    const { leads } = site().services;
    const before = (await leads.list({ limit: 1000 })).length;
    // The request arrives, and its answer is lost: the worst that can happen to somebody who presses again.
    front().intercept((req, res, pass) => {
      if (req.method === 'POST') res.write = res.end = () => res.destroy() as never;
      pass();
    });
    const page = await filled('+7 (916) 123-45-67');
    await submit(page).click();
    const alert = dialog(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('пропала связь');
    expect(await alert.locator('[href^="tel:"]').count()).toBe(1);
    expect(await page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('alert');
    expect([await nameField(page).inputValue(), await phoneField(page).inputValue()]).toEqual([
      'Анна',
      '+7 (916) 123-45-67',
    ]);
    // A browser repeats by itself what was cut off.
    const { length } = sent();
    await submit(page).click();
    await eventually(() => sent().length > length, true);
    await eventually(() => page.evaluate(`document.querySelector('dialog form').inert`), false);
    expect(await alert.count()).toBe(1);
    front().reset();
    await submit(page).click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect((await leads.list({ limit: 1000 })).length).toBe(before + 1);
  });

  browserTest('makes way for what else the server has to say', async () => {
    front().intercept((req, res, pass) => {
      if (req.method === 'POST' && req.headers['sec-fetch-dest'] === 'empty') res.writeHead(503).end();
      else pass();
    });
    const page = await filled('+7 (916) 123-45-67');
    await submit(page).click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect(sent()).toHaveLength(2);
  });

  browserTest('stays while one reads what one agrees to', async () => {
    const page = await filled('+7 (916) 123-45-67');
    const [beside] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).locator('a[href="/consent"]').click(),
    ]);
    expect(new URL(beside.url()).pathname).toBe('/consent');
    await beside.close();
    expect(await phoneField(page).inputValue()).toBe('+7 (916) 123-45-67');
  });
});

describe('a dialog that does not come', () => {
  browserTest('makes way for the page of the form after four seconds', async () => {
    front().intercept((req, _res, pass) => {
      if (!(req.url?.startsWith('/contact?') && req.headers['sec-fetch-dest'] === 'empty')) pass();
    });
    const page = await newPage();
    await page.clock.install();
    await page.goto(plainService);
    await toForm(page).click();
    await page.locator('[aria-busy]').waitFor();
    await page.clock.fastForward(3900);
    expect(page.url()).toBe(`${front().url}${plainService}`);
    await page.clock.fastForward(100);
    await page.waitForURL('**/contact?preset=*');
    await nameField(page).waitFor();
  });

  browserTest('is asked for again when its visitor comes back and tries once more', async () => {
    front().intercept((req, res, pass) => {
      if (req.url?.startsWith('/contact?')) res.writeHead(204).end();
      else pass();
    });
    const page = await newPage();
    await page.goto(plainService);
    await toForm(page).press('Enter');
    await eventually(() => front().asked.filter(({ path }) => path.startsWith('/contact?')).length, 2);
    front().reset();
    await toForm(page).press('Enter');
    await dialog(page).waitFor();
  });
});

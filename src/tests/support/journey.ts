import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { TestSite } from './test-site.ts';

/** Phones have the link of the heading in the bar at the bottom. An offer's form has fewer fields. */
export const formLink = ':is(main, .action-bar) a[href^="/contact?preset="]:not(.offer a):visible';

/** How a visitor operates the page. */
type Hand = { press(target: Locator): Promise<void>; type(target: Locator, text: string): Promise<void> };

export const pointer: Hand = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
};

/** Uses Tab, Enter and Space instead of the mouse, and expects a visible focus. */
export function keyboard(page: Page): Hand {
  const reach = async (target: Locator) => {
    const wanted = await target.elementHandle();
    for (let step = 0; step < 150; step++) {
      if (await page.evaluate((element) => element === Reflect.get(globalThis, 'document').activeElement, wanted)) {
        expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
        const box = await target.boundingBox();
        expect([(box?.height ?? 0) > 0, (box?.y ?? 0) >= -1, (box?.y ?? 0) < 800]).toEqual([true, true, true]);
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${target}.`);
  };
  return {
    async press(target) {
      await reach(target);
      const box = await target.getAttribute('type');
      await page.keyboard.press(box === 'checkbox' ? 'Space' : 'Enter');
    },
    async type(target, text) {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
  };
}

/** Goes from the menu to a service, and through the form with an error to the receipt. */
export async function journey(page: Page, site: TestSite, width: number, hand: Hand): Promise<void> {
  await page.goto('/');
  if (width < 1024) await hand.press(page.locator('.burger > summary'));
  const [list] = site.services.site.content.navigation.header.flatMap(({ pages }) => (pages ? [pages] : []));
  const service = list?.find(({ to }) => to.startsWith('/services/'));
  const menu = page.locator(width < 1024 ? '.burger nav' : 'nav.bar');
  // The burger has it open.
  if (width >= 1024) await hand.press(menu.locator('summary').first());
  await hand.press(menu.locator(`a[href="${service?.to}"]`));
  await page.waitForURL(`**${service?.to}`);

  await hand.press(page.locator(formLink).first());
  const form = page.locator('.contact form');
  await form.waitFor();
  await hand.type(form.getByLabel('Как к вам обращаться'), `Анна ${width}`);
  await hand.type(form.getByLabel('Телефон'), '12');
  await hand.press(form.getByLabel(/обработку персональных данных/));
  await hand.press(form.locator('button'));
  await page.locator('[role=alert]').waitFor();
  expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe(`Анна ${width}`);

  await hand.press(page.locator('[role=alert] a').first());
  await eventually(() => new URL(page.url()).hash, '#field-phone');
  await hand.type(page.getByLabel('Телефон'), '89161234567');
  await hand.press(page.locator('.contact form button'));
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  expect(await page.locator('h1').textContent()).toMatch(/Заявка №\s\d+\sпринята/);
  const [lead] = await site.services.leads.list({ limit: 1 });
  expect(lead).toMatchObject({
    name: `Анна ${width}`,
    phone: '+79161234567',
    page: service?.to,
    state: 'waiting',
  });
}

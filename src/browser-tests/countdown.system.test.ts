import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the time that is left until a cut-off is that of the visitor’s clock');
const { newPage, site } = withVisitors();

const minute = 60_000;
const hour = 60 * minute;

browserTest('a departure tells how long goods are taken, and that they no longer are', async () => {
  const page = await newPage();
  const path = site().services.site.content.departures[0]?.service ?? '';
  await page.goto(path);
  const line = page.locator('.departures summary').first();
  const at = Date.parse((await line.locator('time').first().getAttribute('datetime')) ?? '');
  const told = async (left: number) => {
    await page.clock.setFixedTime(at - left);
    await page.reload();
    const closes = line.locator('.departures-closes:visible');
    await closes.waitFor();
    return (await closes.textContent())?.replaceAll('\u00A0', ' ');
  };
  expect(await told(42 * hour + 30 * minute)).toBe('приём закроется через 1 дн. 18 ч');
  expect(await told(24 * hour)).toBe('приём закроется через 1 дн.');
  expect(await told(4 * hour + 10 * minute + 1)).toBe('приём закроется через 4 ч 10 мин');
  expect(await told(5 * minute)).toBe('приём закроется через 5 мин');
  expect(await told(1)).toBe('приём закроется через минуту');
  expect(await told(-1)).toBe('приём закрыт');
});

browserTest('however much time is left, what tells it has its room, and nothing moves', async () => {
  const page = await newPage();
  await page.goto('/');
  const line = page.locator('.departures summary').first();
  const at = Date.parse((await line.locator('time').first().getAttribute('datetime')) ?? '');
  await page.route('**/assets/countdown.*', () => {});
  await page.reload();
  const room = (await line.boundingBox())?.height;
  await page.unroute('**/assets/countdown.*');
  await page.clock.setFixedTime(at - (23 * hour + 49 * minute));
  await page.reload();
  await line.locator('.departures-closes').waitFor();
  expect((await line.boundingBox())?.height).toBe(room);
});

import { expect } from '@jest/globals';
import type { Channel } from '../leads/channels/channel.ts';
import { chromiumPath } from '../testing/browser.ts';
import { newLead, plan } from '../testing/leads.ts';
import { testWith } from '../testing/requires.ts';
import { moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'staff work with requests on a phone without a script');

const chat: Channel = { kind: 'webhook', name: 'chat', parallel: 1, deliver: async () => {} };
const { site, front, newPage } = withVisitors({ channels: [chat] });

/** Words that stand on two lines, in what is known of a request. */
const broken = `
  [...document.querySelectorAll('.facts dd')].flatMap((value) => {
    const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      for (const { index, 0: word } of walker.currentNode.data.matchAll(/[\\wА-яё]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        if (range.getClientRects().length > 1) found.push(word);
      }
    }
    return found;
  })`;

browserTest('from the link in a messenger to a request that is taken, a note, a release and a broadcast', async () => {
  const { leads, links, broadcast } = site().services;
  await leads.add(newLead({ key: 'key-of-a-person', name: 'Игорь-Константин Преображенский' }), plan);
  await leads.add(newLead({ key: 'key-of-a-machine', signals: ['honeypot'] }), { ...plan, quarantined: true });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const token = await links.add({ lead: null, name: 'Анна', until });

  const page = await newPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const path = () => new URL(page.url()).pathname;
  // A page of another site, as messengers in browsers are: what it opens brings no cookie that is `strict`.
  await page.setContent(`<a href="${front().url}/desk/link/${token}">Стол</a>`);
  await page.getByRole('link', { name: 'Стол' }).click();
  expect(path()).toBe('/desk');

  await page.getByRole('link', { name: /^№.1\./ }).click();
  expect(await page.evaluate(broken)).toEqual([]);
  await press('Беру заявку');
  expect(await page.locator('.lead-taken').textContent()).toMatch(/Заявку взяли .+: Анна\./);
  await page.getByLabel('Новая заметка').fill('Перезвонить\nзавтра');
  await press('Записать');
  expect(await page.locator('.desk-note-by').textContent()).toMatch(/^Анна, в\s\d{1,2}:\d\d$/);
  expect(await page.locator('.desk-note-text').innerText()).toBe('Перезвонить\nзавтра');

  await page.getByRole('link', { name: 'Карантин, 1' }).click();
  await press(/^Выпустить/);
  expect(path()).toBe('/desk/requests/2');

  await page.getByRole('link', { name: 'Эфир', exact: true }).click();
  await page.getByLabel('Адрес видео').fill('https://video.example/live');
  await press('Включить');
  expect(await page.locator('h1').textContent()).toBe('Эфир идёт');

  expect(await leads.find(1)).toMatchObject({ takenBy: 'desk:Анна', notes: [{ text: 'Перезвонить\nзавтра' }] });
  expect(await leads.find(2)).toMatchObject({ state: 'new' });
  expect('read' in broadcast && (await broadcast.read())).toEqual({ status: true, url: 'https://video.example/live' });

  await page.getByRole('link', { name: 'Сегодня' }).click();
  await page.getByText('таблицей CSV').click();
  await page.getByLabel('По какой день').fill('2026-01-31');
  const [download] = await Promise.all([page.waitForEvent('download'), press('Скачать')]);
  expect(download.suggestedFilename()).toBe('zayavki-2026-01-31.csv');
  await press('Выйти');
  expect(path()).toBe('/');
  await page.goBack();
  expect(await page.getByText('Стол заявок открывают по личной ссылке').isVisible()).toBe(true);
});

browserTest('a table that is handed over is no page that a loading bar waits for', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const token = await site().services.links.add({ lead: null, name: 'Вера', until });
  const page = await newPage();
  await page.goto(`/desk/link/${token}`);
  await moduleRan(page, 'loading-bar');
  await page.getByText('таблицей CSV').click();
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Скачать' }).click()]);
  expect(await page.locator('.loading-bar').count()).toBe(0);
});

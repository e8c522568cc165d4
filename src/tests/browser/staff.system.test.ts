import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { filesBelow } from '../../lib/files.ts';
import { paths } from '../../lib/paths.ts';
import { repository } from '../../loading/repository.ts';
import { eventually } from '../support/eventually.ts';
import { type Change, contentWith } from '../support/sample-content.ts';
import { arrival, newLead } from '../support/sample-leads.ts';
import { testIf } from '../support/test-if.ts';
import { siteOf } from '../support/test-site.ts';
import { complaintsOf, moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { site, front, newPage } = withVisitors({
  repository: repository.parse('gitlab:https://git.example.ru/shop/site@main'),
});

describe('the desk', () => {
  const newLink = (): Promise<string> => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    return site().services.links.add({ lead: null, name: 'Анна', until });
  };

  browserTest('works on a phone without a script, from the link in a messenger to signing out', async () => {
    await site().services.leads.add(newLead(), arrival);
    const page = await newPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
    const press = (name: string) => page.getByRole('button', { name }).click();
    const path = () => new URL(page.url()).pathname;
    // A cross-site page, like a messenger in a browser: links from it send no SameSite=Strict cookies.
    await page.setContent(`<a href="${front().url}/desk/link/${await newLink()}">Стол</a>`);
    await page.getByRole('link', { name: 'Стол' }).click();
    expect(path()).toBe('/desk');

    await page.getByRole('link', { name: /^№.1\./ }).click();
    await press('Беру заявку');
    expect(await page.locator('.lead-state').textContent()).toMatch(/Заявку взяли .+: Анна\./);
    await page.getByLabel('Новая заметка').fill('Перезвонить\nзавтра');
    await press('Записать');
    expect(await page.locator('.desk-note-text').innerText()).toBe('Перезвонить\nзавтра');

    await press('Выйти');
    expect(path()).toBe('/');
    // While Chromium replaces the page, it has no history to go back to.
    await page.waitForLoadState();
    await page.goBack();
    expect(await page.getByText('Стол заявок открывают по личной ссылке').isVisible()).toBe(true);
  });

  browserTest('exports a CSV of the chosen days without a loading bar', async () => {
    const page = await newPage();
    await page.goto(`/desk/link/${await newLink()}`);
    await moduleRan(page, 'loading-bar');
    await page.getByText('таблицей CSV').click();
    await page.getByLabel('По какой день').fill('2026-01-31');
    const press = page.getByRole('button', { name: 'Скачать' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), press]);
    expect(download.suggestedFilename()).toBe('zayavki-2026-01-31.csv');
    expect(await page.locator('.loading-bar').count()).toBe(0);
  });
});

describe('the editor', () => {
  const folder = 'src/content';

  /** Keeps a repository in the private file system of the browser, which replaces a folder on a disk. */
  const inBrowser = `
    async function folderOf(path) {
      let folder = await navigator.storage.getDirectory();
      for (const name of ['repository', ...path.split('/').slice(0, -1)]) {
        folder = await folder.getDirectoryHandle(name, { create: true });
      }
      return folder;
    }
    const fileOf = async (path) => (await folderOf(path)).getFileHandle(path.split('/').at(-1), { create: true });
    window.readFile = async (path) => (await (await fileOf(path)).getFile()).text();
    window.writeFile = async (path, base64) => {
      const stream = await (await fileOf(path)).createWritable();
      await stream.write(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
      await stream.close();
    };
    window.showDirectoryPicker = () => folderOf('');`;

  /** Opens the editor with a repository of these texts and all pictures, as if an editor had chosen its folder. */
  async function openEditor(page: Page, texts: string[]): Promise<void> {
    await page.addInitScript(inBrowser);
    await page.goto('/admin/editor/');
    await page.getByRole('button', { name: 'Войти с помощью токена доступа' }).waitFor();
    expect(await page.title()).toContain(site().services.site.content.company.name);
    const files = filesBelow(paths.content)
      .filter((path) => /\.(svg|png|jpe?g|webp)$/.test(path) || texts.includes(relative(paths.content, path)))
      .map((path) => [relative(join(paths.content, '../..'), path), readFileSync(path, 'base64')]);
    await page.evaluate(`(async () => {
      for (const [path, base64] of ${JSON.stringify([['.git/HEAD', ''], ...files])}) await writeFile(path, base64);
    })()`);
    await page.getByRole('button', { name: 'Работать с локальным репозиторием' }).click();
    await page.getByText('Коллекции', { exact: true }).waitFor();
  }

  browserTest(
    'saves only the changes and a new post, shows pictures, and requests nothing from other sites',
    async () => {
      const { content } = site().services.site;
      const study = content.cases.find(({ picture }) => picture) ?? content.cases[0];
      const [post, edited] = ['news/vtorye-vorota.md', `cases/${study?.slug}.md`];

      // The editor has another layout on a phone.
      const viewport = { width: 1400, height: 900 };
      // «Сегодня» is the date on the editor's computer. Visitors do not see a post with a later company date yet.
      const timezoneId = content.company.workingHours.timeZone;
      const page = await newPage({ viewport, timezoneId, userAgent: undefined, reducedMotion: 'reduce' });
      const complaints = complaintsOf(page);
      page.on('request', (request) => {
        if (!RegExp(`^(blob:|data:|${front().url}/)`).test(request.url())) complaints.push(request.url());
      });
      await openEditor(page, [edited, 'prices.csv']);

      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const fill = (name: string, value: string) =>
        page.getByRole('textbox', { name, exact: true }).first().fill(value);
      const show = (entry: string) => page.goto(`/admin/editor/#/collections/${entry}`);
      const written = (file: string): Promise<string> => page.evaluate(`readFile('${folder}/${file}')`);
      /** Saves the open entry, and waits until the editor has left it and its file contains these words. */
      const save = async (file: string, words: string) => {
        await press('Сохранить');
        await page.waitForURL((url) => !/\/(entries\/|new$)/.test(url.hash));
        // A file cannot be read while it is replaced.
        await eventually(async () => (await written(file).catch(() => '')).includes(words), true, file);
      };
      /** Scrolls until a part of the entry is drawn, because the editor does not draw below the window. */
      const scroll = async (isDrawn: () => Promise<boolean>) => {
        await page.mouse.move(300, 500);
        await eventually(async () => {
          await page.mouse.wheel(0, 800);
          return isDrawn();
        });
      };
      await show(`case/entries/${study?.slug}`);
      await fill('Ниша', 'Самовары');
      // Pictures are next to the text.
      const shown = "[...document.images].some((one) => one.src.startsWith('blob:') && one.naturalWidth > 0)";
      if (study?.picture) await scroll(() => page.evaluate(shown));
      await save(edited, 'Самовары');
      await show('_singletons/entries/prices');
      const table = page.locator('textarea').last();
      await table.fill((await table.inputValue()).replace(/,\d\d;/, ',99;'));
      await save('prices.csv', ',99;');
      await show('news/new');
      await fill('Заголовок', 'Вторые ворота');
      await fill('Название для поиска', 'Вторые ворота на складе');
      await fill('Описание для поиска', 'Открыли вторые ворота: машины больше не ждут друг друга, сдавайте с 9:00.');
      await fill('Что сделать клиенту', 'Ничего.');
      await page.getByRole('button', { name: 'Сегодня' }).nth(1).click();
      await page.locator('textarea').last().fill('Машины больше не ждут.');
      await save(post, 'не ждут.');

      const changes: Record<string, Change> = {};
      for (const file of [post, edited, 'prices.csv']) {
        const text = await written(file);
        changes[file] = () => text;
      }
      const after = (await siteOf({ files: contentWith(changes) })).content;
      const [{ price = 0 } = {}, ...prices] = content.prices;
      expect(after.prices).toEqual([{ ...content.prices[0], price: price - (price % 100) + 99 }, ...prices]);
      const found = after.cases.find(({ slug }) => slug === study?.slug);
      expect({ ...found, body: found?.body.blocks }).toEqual({ ...study, niche: 'Самовары', body: study?.body.blocks });
      const posted = after.news.find(({ heading }) => heading === 'Вторые ворота');
      expect(posted?.body.text).toMatch(/^Машины больше не\sждут\.$/);
      const icons = "[...document.fonts].some((one) => one.family.includes('Symbols') && one.status === 'loaded')";
      expect(await page.evaluate(icons)).toBe(true);
      // The policy blocks copies of the fonts that the editor would load from a CDN.
      expect(complaints.filter((text) => !text.includes('https://cdn.jsdelivr.net/fontsource/'))).toEqual([]);
    },
  );
});

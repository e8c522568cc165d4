import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { createCache } from '../lib/cache.ts';
import { filesBelow } from '../lib/files.ts';
import { paths } from '../lib/paths.ts';
import { readAssets } from '../reading/assets.ts';
import { type Kind, kinds } from '../reading/kinds.ts';
import { loadContent } from '../reading/load.ts';
import { readPictures } from '../reading/pictures.ts';
import { repository } from '../reading/repository.ts';
import { readSources } from '../reading/sources.ts';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { contentWith } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { siteOf, startTestSite, type TestSite } from '../testing/test-site.ts';

const browserTest = testWith(chromiumPath, 'editors write in the browser');
const folder = 'src/content';
let site: TestSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained of, and what it asked of others. */
let complaints: string[];
let asked: string[];
beforeAll(async () => {
  site = await startTestSite({ repository: repository.parse('gitlab:https://git.example.ru/shop/site@main') });
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await site.close();
});
beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'ru-RU' });
  [complaints, asked] = [[], []];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(`${site.url}/`)) asked.push(request.url());
  });
  context.setDefaultTimeout(8000);
  page = await context.newPage();
});

/** What a page can do with a repository in the browser's own file system, which takes the place of a folder on a disk. */
const inBrowser = `
  async function folderOf(path) {
    let folder = await navigator.storage.getDirectory();
    for (const name of ['repository', ...path.split('/').slice(0, -1)]) {
      folder = await folder.getDirectoryHandle(name, { create: true });
    }
    return folder;
  }
  const fileOf = async (path) => (await folderOf(path)).getFileHandle(path.split('/').at(-1), { create: true });
  window.namesIn = async (path) => Array.fromAsync((await folderOf(path)).keys());
  window.readFile = async (path) => (await (await fileOf(path)).getFile()).text();
  window.writeFile = async (path, base64) => {
    const stream = await (await fileOf(path)).createWritable();
    await stream.write(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    await stream.close();
  };
  window.showDirectoryPicker = () => folderOf('');`;

/** Gives the editor such a repository, with all that it may show, as if somebody had chosen the folder. */
async function openLocalRepository(): Promise<void> {
  const root = join(paths.content, '../..');
  const files = [...filesBelow(paths.content), ...filesBelow(join(paths.public, 'images/services'))].map((path) => {
    return [relative(root, path), readFileSync(path, 'base64')];
  });
  await page.addInitScript(inBrowser);
  await page.goto(`${site.url}/admin/`);
  await page.evaluate(`(async () => {
    for (const [path, base64] of ${JSON.stringify([['.git/HEAD', ''], ...files])}) await writeFile(path, base64);
  })()`);
  await page.getByRole('button', { name: 'Работать с локальным репозиторием' }).click();
  await page.getByText('Коллекции').waitFor();
}

/** A file of that repository. */
function written(path: string): Promise<string> {
  return page.evaluate(`readFile(${JSON.stringify(path)})`);
}

/** Saves the entry that is open, and waits until its file has these words. */
async function save(file: string, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Сохранить' }).click();
  // A file that is just being replaced cannot be read.
  await eventually(async () => (await written(`${folder}/${file}`).catch(() => '')).includes(words), true, file);
}

/** Changes one field of an entry, and saves it. */
async function change(entry: string, file: string, field: string, value: string): Promise<void> {
  // The editor begins anew, for it leaves an entry by itself some time after it was saved.
  await page.goto('about:blank');
  await page.goto(`${site.url}/admin/#/collections/${entry}`);
  await page.getByRole('textbox', { name: field, exact: true }).first().fill(value);
  await save(file, value);
}

browserTest('the editor opens in Russian, asks nobody but this site, and breaks no policy', async () => {
  await page.goto(`${site.url}/admin/`);
  await page.getByRole('button', { name: 'Войти с помощью токена доступа' }).waitFor();
  expect(await page.title()).toContain(site.services.site.content.company.name);
  await page.evaluate('document.fonts.ready.then(() => {})');
  expect({ complaints, asked }).toEqual({ complaints: [], asked: [] });
});

browserTest(
  'it lists every kind of file, and what it saves says the same but for what was changed',
  async () => {
    await openLocalRepository();
    const { categories, articles, cases, services } = site.services.site.content;
    const shown = await page.locator('body').innerText();
    for (const { text } of categories.blog) expect(shown).toContain(`Блог: ${text}`);
    const listed = Object.entries<Kind>(kinds).filter(([name, { asFile }]) => name !== 'article' && !asFile);
    for (const [, { title }] of listed) expect(shown).toContain(title);

    const [article] = articles;
    const path = `blog/${article?.category}/${article?.slug}.md`;
    await change(`blog-${article?.category}/entries/${article?.slug}`, path, 'Автор', 'Аристарх');
    await change('_singletons/entries/company', 'company.yaml', 'Чем занимаетесь', 'Складируем');
    await change('_singletons/entries/rates', 'rates.yaml', 'О НДС', 'Безналогово');
    const changed = ['company.yaml', 'rates.yaml', path];
    const texts = await Promise.all(changed.map((file) => written(`${folder}/${file}`)));
    const files = contentWith(Object.fromEntries(changed.map((file, index) => [file, () => texts[index] ?? ''])));
    const pictures = readPictures(files, createCache());
    const assets = readAssets(paths.public);
    const load = async (given: typeof files) =>
      loadContent(readSources(given), { assets, pictures, at: new Date(site.services.site.content.at) }).content;
    const [before, after] = await Promise.all([load(contentWith({})), load(files)]);
    expect(after.company).toEqual({ ...before.company, slogan: 'Складируем' });
    expect(after.rates).toEqual({ ...before.rates, vat: 'Безналогово' });
    const found = after.articles.find(({ slug }) => slug === article?.slug);
    const was = before.articles.find(({ slug }) => slug === article?.slug);
    expect({ ...found, body: '' }).toEqual({ ...was, author: 'Аристарх', body: '' });
    expect(found?.body.html).toBe(was?.body.html);

    const pictured = cases.find(({ picture }) => picture)?.slug;
    const drawn = services[0]?.to.split('/').at(-1);
    // A picture beside the text, and one of the whole site.
    for (const entry of [...(pictured ? [`case/entries/${pictured}`] : []), `service/entries/${drawn}`]) {
      await page.goto('about:blank');
      await page.goto(`${site.url}/admin/#/collections/${entry}`);
      await page.getByRole('button', { name: 'Сохранить' }).waitFor();
      await page.mouse.move(300, 500);
      await eventually(async () => {
        // What is below the window is not drawn yet.
        await page.mouse.wheel(0, 500);
        return page.evaluate("[...document.images].some((one) => one.src.startsWith('blob:') && one.naturalWidth > 0)");
      });
    }
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] });
  },
  90_000,
);

browserTest(
  'a new post and an uploaded picture are files that can be published',
  async () => {
    await openLocalRepository();
    await page.goto(`${site.url}/admin/#/collections/news/new`);
    const fields = {
      Заголовок: 'Вторые ворота',
      'Название для поиска': 'Вторые ворота на складе',
      'Описание для поиска': 'Открыли вторые ворота: машины больше не ждут друг друга, сдавайте с 9:00.',
      'Что сделать клиенту': 'Ничего.',
    };
    for (const [name, value] of Object.entries(fields)) {
      await page.getByRole('textbox', { name, exact: true }).first().fill(value);
    }
    await page.getByRole('button', { name: 'Сегодня' }).nth(1).click();
    await page.locator('textarea').last().fill('Машины больше не ждут.');
    const post = 'news/vtorye-vorota.md';
    await save(post, 'не ждут.');

    const { articles } = site.services.site.content;
    const { category, slug } = articles.find(({ picture }) => !picture) ?? {};
    await page.goto('about:blank');
    await page.goto(`${site.url}/admin/#/collections/blog-${category}/entries/${slug}`);
    await page.getByText('Добавить ⁨Картинка⁩').click();
    const photograph = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#b98a52' } })
      .jpeg()
      .toBuffer();
    const photo = { name: 'Ворота.jpg', mimeType: 'image/jpeg', buffer: photograph };
    await page.mouse.move(300, 600);
    await eventually(async () => {
      await page.mouse.wheel(0, 300);
      return (await page.getByRole('button', { name: 'Обзор' }).count()) > 0;
    });
    await page.getByRole('button', { name: 'Обзор' }).click();
    await page.locator('dialog input[type=file], [role=dialog] input[type=file]').setInputFiles(photo);
    expect(await page.locator('[role=dialog]').innerText()).not.toContain('Unsplash');
    await page.getByRole('button', { name: 'Вставить', exact: true }).click();
    // The file is read first: until then the field that needs it counts as empty, and nothing is saved.
    await page.locator('[data-key-path="picture.src"] img').first().waitFor();
    await page.getByRole('textbox', { name: 'Что на ней', exact: true }).fill('Машина у ворот');
    const path = `blog/${category}/${slug}.md`;
    await save(path, 'Машина у ворот');
    const names: string[] = await page.evaluate(`namesIn('${folder}/blog/${category}/')`);
    const uploaded = names.filter((name) => name.endsWith('.jpg')).map((name) => `blog/${category}/${name}`);

    const texts = await Promise.all([post, path].map((file) => written(`${folder}/${file}`)));
    const files = contentWith({
      [post]: () => texts[0],
      [path]: () => texts[1],
      [uploaded.at(-1) ?? '']: () => photograph,
    });
    const content = (await siteOf({ files })).content;
    expect(content.news.find(({ heading }) => heading === fields.Заголовок)?.body.text).toMatch(
      /^Машины больше не\sждут\.$/,
    );
    const shown = content.articles.find((article) => article.slug === slug)?.picture;
    expect(shown).toMatchObject({ alt: expect.stringMatching(/^Машина\sу\sворот$/), width: 800 });
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] });
  },
  90_000,
);

import { expect } from '@jest/globals';
import sharp from 'sharp';
import { readFolder } from '../../loading/content-files.ts';
import { eventually } from '../support/eventually.ts';
import { phonePhoto } from '../support/photos.ts';
import { contentFolder, fileIn } from '../support/sample-content.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testIf } from '../support/test-if.ts';
import { shownSite } from '../support/test-site.ts';
import { withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const article = fileIn('blog/articles');
const formats = ['jpeg', 'png'] as const;

const onSide = await phonePhoto(700, 900, 6);
const photos = await Promise.all(
  formats.map(async (format) => {
    const bytes = await sharp(onSide).keepMetadata().toFormat(format).toBuffer();
    return [`blog/articles/photo-${format}.${format}`, () => bytes] as const;
  }),
);
const refresh = '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">';
const site = await shownSite({
  files: readFolder(
    contentFolder({
      ...Object.fromEntries(photos),
      [article]: (text) => text + formats.map((format) => `\n![Склад](photo-${format}.${format})\n`).join(''),
      'root/proof.html': () => `<title>Proof</title>${refresh}`,
      'root/proof.xml': () =>
        `<html xmlns="http://www.w3.org/1999/xhtml"><head>${refresh.replace('>', '/>')}</head></html>`,
    }),
  ),
});
const { newPage } = withVisitors({ site, pictureFolders: [temporaryFolder()] });

browserTest('a photograph that waits to be encoded is shown upright', async () => {
  const page = await newPage();
  await page.goto(`/${article.replace('.md', '')}`);
  const sizes = page.evaluate(
    `Promise.all([...document.querySelectorAll('main img[alt="Склад"]')].map(async (image) => {
      image.loading = 'eager';
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }))`,
  );
  expect(await sizes).toEqual(formats.map(() => [900, 700]));
});

browserTest('a page in root/ cannot send visitors to another site', async () => {
  for (const path of ['/proof.html', '/proof.xml']) {
    const page = await newPage();
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    await page.goto(path);
    await eventually(() => messages.some((text) => text.includes('sandboxed')), true, path);
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

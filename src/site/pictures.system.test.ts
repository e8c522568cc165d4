import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../reading/content-files.ts';
import { siteUrl } from '../testing/built.ts';
import { korob } from '../testing/commands.ts';
import { contentFolder, fileIn } from '../testing/content.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { shownSite, startTestSite } from '../testing/test-site.ts';
import { makePicture, missingPictures, removeOldPictures, type SitePicture } from './pictures.ts';

const taken = sharp({ create: { width: 900, height: 600, channels: 3, background: '#884422' } });
const photograph = await taken.clone().jpeg().toBuffer();
/** EXIF with a location. */
const place = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 45/1 0/1' } };
const article = fileIn('blog/articles');
const content = contentFolder({
  'blog/articles/gate.jpg': () => photograph,
  ...Object.fromEntries(
    await Promise.all(
      (['jpeg', 'png', 'webp'] as const).map(async (format) => {
        const bytes = await taken.clone().toFormat(format).withExif(place).toBuffer();
        return [`blog/articles/placed-${format}.${format}`, () => bytes];
      }),
    ),
  ),
  [article]: (text) => `${text}\n![Ворота склада](gate.jpg)\n`,
});
const shown = await shownSite({ files: readFolder(content) });
const all = shown.pictures();
const gate = all.filter(({ path }) => path.startsWith('/pictures/gate-'));

describe('a picture that is not made yet', () => {
  test('is sent as it was taken, and is not kept; once there is a file, that is sent for ever', async () => {
    const own = temporaryFolder();
    const site = await startTestSite({ site: shown, pictureFolders: [own] });
    const picture = gate.find(({ path }) => path.endsWith('.webp')) as SitePicture;
    const before = await site.request(picture.path);
    expect([before.status, before.headers['content-type'], before.headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect(before.body).toEqual(photograph);

    await makePicture(picture, own);
    const after = await site.request(picture.path);
    expect([after.status, after.headers['content-type'], after.headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'public, max-age=31536000, immutable',
    ]);
    const { format, width, exif } = await sharp(after.body).metadata();
    expect([format, width, exif]).toEqual(['webp', 336, undefined]);
    const headers = { 'if-none-match': String(after.headers.etag) };
    expect((await site.request(picture.path, { headers })).status).toBe(304);
    expect((await site.request(picture.path, { method: 'POST' })).status).toBe(405);
  });

  test('is not sent with what a camera has written down', async () => {
    const site = await startTestSite({ site: shown, pictureFolders: [temporaryFolder()] });
    const placed = all.filter(({ path }) => path.startsWith('/pictures/placed-'));
    expect(placed).toHaveLength(12);
    for (const { path } of placed) {
      const { status, headers, body } = await site.request(path);
      expect([path, status, headers['retry-after'], body.length]).toEqual([path, 503, '10', 0]);
    }
  });

  test('of a page may be asked for again', async () => {
    const site = await startTestSite({ site: shown, pictureFolders: [temporaryFolder()] });
    const [page] = all.filter(({ path }) => path.startsWith('/share/')) as [SitePicture];
    const { status, headers } = await site.request(page.path);
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '10', 'no-store']);
    expect((await site.request('/share/home.0123456789.png')).status).toBe(404);
  });
});

test('every size is made once, and what another process was writing is no picture', async () => {
  const own = temporaryFolder();
  writeFileSync(join(own, '.half'), 'x');
  expect(gate.map(({ path }) => path.replace(/\.[0-9a-f]{10}\./, '.'))).toEqual(
    ['avif', 'webp'].flatMap((format) => [336, 672].map((width) => `/pictures/gate-${width}.${format}`)),
  );
  expect(missingPictures(gate, [own])).toEqual(gate);
  await Promise.all([makePicture(gate[0] as SitePicture, own), makePicture(gate[0] as SitePicture, own)]);
  expect(missingPictures(gate, [temporaryFolder(), own])).toEqual(gate.slice(1));
  expect(readdirSync(own).sort()).toEqual(['.half', gate[0]?.file].sort());
});

test('the job makes what no folder has, and keeps what was shown lately', async () => {
  const dataDir = temporaryFolder();
  const env = { CONTENT_DIR: content, SITE_URL: siteUrl };
  const [own] = paths.pictures(dataDir);
  const made = await korob(dataDir, ['pictures'], env);
  // The build has already made those of the shipped content.
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(`pictures made, of ${all.length}.`)]);
  for (const { file } of gate) expect([file, existsSync(join(own, file))]).toEqual([file, true]);
  expect(missingPictures(all, paths.pictures(dataDir))).toEqual([]);
  const again = await korob(dataDir, ['pictures'], env);
  expect(again.stderr).toContain('0 pictures made');
}, 60_000);

test('what nothing has shown for two months goes', () => {
  const own = temporaryFolder();
  const now = new Date('2026-11-23T12:00:00Z');
  const old = new Date('2026-09-01T12:00:00Z');
  const [first, second] = gate as [SitePicture, SitePicture];
  for (const file of [first.file, second.file, '.left']) {
    writeFileSync(join(own, file), 'x');
    utimesSync(join(own, file), old, old);
  }
  removeOldPictures(own, [first], now);
  expect(readdirSync(own)).toEqual([first.file]);
});

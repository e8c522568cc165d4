import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../loading/content-files.ts';
import { siteUrl } from '../tests/support/built.ts';
import { korob } from '../tests/support/commands.ts';
import { phonePhoto, secret } from '../tests/support/photos.ts';
import { problemsOf } from '../tests/support/problems.ts';
import { contentFolder, contentWith, fileIn } from '../tests/support/sample-content.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { shownSite, startTestSite, textAt } from '../tests/support/test-site.ts';
import { paintShareCard } from './share-picture.tsx';
import { makePicture, missingPictures, readPicture, removeOldPictures, type SitePicture } from './site-pictures.ts';

const site = await startTestSite();
const shared = site.served.pictures().filter(({ path }) => path.startsWith('/share/'));
const forEver = 'public, max-age=31536000, immutable';

const taken = sharp({ create: { width: 700, height: 500, channels: 3, background: '#884422' } });
const photograph = await taken.clone().jpeg().toBuffer();
const ofGate = {
  'blog/articles/gate.jpg': () => photograph,
  [fileIn('blog/articles')]: (text: string) => `${text}\n![Ворота склада](gate.jpg)\n`,
};
const ofPhone = await phonePhoto(700, 500);
const still = await taken.clone().avif().toBuffer();
const illustrated = await shownSite({
  files: readFolder(
    contentFolder({ ...ofGate, 'blog/articles/phone.jpg': () => ofPhone, 'blog/articles/still.avif': () => still }),
  ),
});
const pictures = illustrated.pictures();
const gate = pictures.filter(({ path }) => path.startsWith('/pictures/gate-'));
const [first, second] = gate as [SitePicture, SitePicture];

describe('a picture that is not encoded yet', () => {
  const own = temporaryFolder();
  const started = startTestSite({ site: illustrated, pictureFolders: [own] });
  const answerOf = async (path: string) => {
    const { status, headers, body } = await (await started).request(path);
    return { said: [status, headers['content-type'], headers['cache-control']], headers, body };
  };

  test('is sent as the original with no-store, and as an immutable file once it is encoded', async () => {
    const picture = gate.find(({ path }) => path.endsWith('.webp')) ?? first;
    const before = await answerOf(picture.path);
    expect(before.said).toEqual([200, 'image/jpeg', 'no-store']);
    expect((await sharp(before.body).metadata()).width).toBe(700);
    await makePicture(picture, own);
    const after = await answerOf(picture.path);
    expect(after.said).toEqual([200, 'image/webp', forEver]);
    const { format, width, exif } = await sharp(after.body).metadata();
    expect([format, width, exif]).toEqual(['webp', 336, undefined]);
  });

  test('is sent without its location and second picture when it is a photograph of a phone', async () => {
    const [picture] = pictures.filter(({ path }) => path.startsWith('/pictures/phone-'));
    const { said, headers, body } = await answerOf(picture?.path ?? '');
    expect([...said, headers['content-length']]).toEqual([200, 'image/jpeg', 'no-store', String(body.length)]);
    expect([body.includes(secret), body.includes('Exif'), body.length < ofPhone.length / 2]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await sharp(body).metadata()).width).toBe(700);
  });

  test('is sent as soon as its original can be read again', async () => {
    const { original, path } = gate.find(({ path }) => path.endsWith('.avif')) ?? first;
    const file = original && 'path' in original ? original.path : '';
    renameSync(file, `${file}.away`);
    const { said, headers } = await answerOf(path);
    expect([said[0], said[2], headers['retry-after']]).toEqual([503, 'no-store', '10']);
    renameSync(`${file}.away`, file);
    expect((await answerOf(path)).said[0]).toBe(200);
  });

  test('gets 503 with Retry-After when it is a share picture, or a kind of file that is never sent', async () => {
    const others = pictures.filter(({ path }) => path.startsWith('/pictures/still-'));
    expect(others).toHaveLength(4);
    for (const { path } of [...others, ...shared.slice(0, 1)]) {
      const { said, headers, body } = await answerOf(path);
      expect([path, said[0], said[2], headers['retry-after'], body.length]).toEqual([path, 503, 'no-store', '10', 0]);
    }
    expect((await answerOf('/share/home.0123456789.png')).said[0]).toBe(404);
  });
});

test('concurrent encoders make every size once, and pictures unused for more than sixty days are removed', async () => {
  const own = temporaryFolder();
  const names = gate.map(({ path }) => path.replace(/\.[0-9a-f]{10}\./, '.'));
  expect(names).toEqual(['336.avif', '672.avif', '336.webp', '672.webp'].map((size) => `/pictures/gate-${size}`));
  expect(missingPictures(gate, [own])).toEqual(gate);
  await Promise.all([makePicture(first, own), makePicture(first, own)]);
  expect(missingPictures(gate, [temporaryFolder(), own])).toEqual(gate.slice(1));
  expect(readdirSync(own)).toEqual([first.file]);

  const old = new Date('2026-09-01T12:00:00Z');
  for (const file of [second.file, '.left']) writeFileSync(join(own, file), 'x');
  for (const file of readdirSync(own)) utimesSync(join(own, file), old, old);
  removeOldPictures(own, [first], new Date('2026-10-31T12:00:00Z'));
  expect(readdirSync(own)).toHaveLength(3);
  removeOldPictures(own, [first], new Date('2026-10-31T12:00:01Z'));
  expect(readdirSync(own)).toEqual([first.file]);
});

test('an empty file, as after a power cut, is not sent and is encoded again', async () => {
  const own = temporaryFolder();
  writeFileSync(join(own, first.file), '');
  expect(missingPictures([first], [own])).toEqual([first]);
  expect(await readPicture(first.file, [own])).toBeUndefined();
  await makePicture(first, own);
  expect(missingPictures([first], [own])).toEqual([]);
});

test('pictures names those that it cannot encode, makes the others, and removes old ones', async () => {
  const dataDir = temporaryFolder();
  const [own] = paths.pictures(dataDir);
  mkdirSync(own);
  const [old, long] = [join(own, 'old.png'), new Date('2026-01-01T12:00:00Z')];
  writeFileSync(old, 'x');
  utimesSync(old, long, long);
  // Cut in the middle of its pixels, with the end of a whole file.
  const cut = Buffer.concat([photograph.subarray(0, -100), photograph.subarray(-2)]);
  const broken = { 'blog/articles/broken.jpg': () => cut };
  const CONTENT_DIR = contentFolder({ ...ofGate, ...broken });
  const { code, stderr } = await korob(dataDir, ['pictures'], { CONTENT_DIR, SITE_URL: siteUrl });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^4 pictures cannot be encoded/)]);
  expect(stderr.match(/^\/pictures\/broken-\d+\.\w+\.(avif|webp): .+$/gm)).toHaveLength(4);
  expect(missingPictures(gate, [own])).toEqual([]);
  expect(existsSync(old)).toBe(false);
});

describe('share pictures', () => {
  const imageOf = (html: string) => /property="og:image" content="([^"]*)"/.exec(html)?.[1]?.replace(siteUrl, '');
  const imageAt = async (path: string) => imageOf((await site.request(path)).text);

  test('have one image per page for both of its addresses, and the general one for forms and errors', async () => {
    const images = new Map<string, Set<string | undefined>>();
    for (const path of site.served.paths) {
      const { path: canonical } = site.served.open(path).head;
      const known = images.get(canonical) ?? new Set();
      images.set(canonical, known.add(imageOf(textAt(site.served, path))));
    }
    const { share } = site.served.images;
    const all = [...images.values()].flatMap((known) => [...known]);
    expect([...all, share].sort()).toEqual(shared.map(({ path }) => path).sort());
    for (const path of ['/contact?preset=request', '/nowhere'])
      expect([path, await imageAt(path)]).toEqual([path, share]);
  });

  test('are immutable PNGs of 1200 × 630 and at most 60 KB', async () => {
    for (const { path } of shared) {
      const { status, headers, body } = await site.request(path);
      const { format, width, height } = await sharp(body).metadata();
      const is = [status, headers['content-type'], headers['cache-control'], format, width, height];
      expect([path, ...is]).toEqual([path, 200, 'image/png', forEver, 'png', 1200, 630]);
      expect([path, body.length <= 60 * 1024]).toEqual([path, true]);
    }
  });

  test.each([
    ['dimensions in millimetres', '<svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="45mm">', '</svg>'],
  ])('show a drawing with %s, which the check accepts', async (_, start, end) => {
    const drawing = `${start}<rect width="100%" height="100%" fill="#ff0000"/>${end}`;
    const files = contentWith({ 'pages/drawing.svg': () => drawing });
    const errors = (await problemsOf(files)).filter(({ warning }) => !warning);
    expect(errors).toEqual([]);
    const svg = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;
    const card = { label: '', title: 'Заголовок', company: 'Короб', phone: '', drawing: svg, logo: svg };
    const { data, info } = await sharp(await paintShareCard(card))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The middle of the drawing.
    const place = (250 * info.width + 990) * 3;
    expect([...data.subarray(place, place + 3)]).toEqual([255, 0, 0]);
  });
});

test('the files in the Docker image suffice to publish content and to encode missing pictures', () => {
  const root = join(import.meta.dirname, '../..');
  const image = temporaryFolder();
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/build\/(\S+) /gm)].map(([, name = '']) => name);
  expect(copied).toContain('dist');
  // One photograph and one share picture are left out, for the second command to encode.
  const photo = site.served.pictures().find(({ path }) => path.startsWith('/pictures/'));
  const left = [photo, shared[0]].flatMap((picture) => picture?.file ?? []);
  const filter = (file: string) => !left.some((name) => file.endsWith(name));
  for (const name of copied) cpSync(join(root, name), join(image, name), { recursive: true, filter });

  const dataDir = temporaryFolder();
  const run = (...args: string[]) => {
    // No fonts are installed, and that must not log warnings.
    const { TZ } = process.env;
    const env = { TZ, SITE_URL: siteUrl, DATA_DIR: dataDir, PORT: '0', FONTCONFIG_FILE: '/nowhere' };
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: image, env, encoding: 'utf8' });
    return [status, stderr];
  };
  const fine = [0, expect.not.stringContaining('Fontconfig')];
  expect(run('dist/cli.js', 'publish')).toEqual(fine);
  expect(readdirSync(paths.published(dataDir))).toContain(site.served.revision);
  expect(run('dist/cli.js', 'pictures')).toEqual(fine);
  expect(readdirSync(join(dataDir, 'pictures')).sort()).toEqual(left.sort());

  // Without valid content, shipped or published, there is nothing to serve.
  appendFileSync(join(image, 'src/content/company.yaml'), 'novelty: 1\n');
  rmSync(paths.published(dataDir), { recursive: true });
  expect(run('dist/main.js')).toEqual([1, expect.stringMatching(/company\.yaml:\d+: .*novelty/)]);
});

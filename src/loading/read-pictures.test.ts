import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createCache } from '../lib/cache.ts';
import { hashOf } from '../lib/hash.ts';
import { photoPictures } from '../site/site-pictures.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { piece, planted } from '../tests/support/photos.ts';
import { problemsOf } from '../tests/support/problems.ts';
import { contentWith, fielded, fileIn, lineOf } from '../tests/support/sample-content.ts';
import { shownSite, textAt } from '../tests/support/test-site.ts';
import type { ContentFiles } from './content-files.ts';
import type { Problem } from './problem.ts';
import { examinePictures } from './read-pictures.ts';

const article = fileIn('blog/articles');

/** The shipped content with these lines at the end of an article, and these files in its folder. */
function illustrated(lines: readonly string[], files: Readonly<Record<string, Buffer | string>>): ContentFiles {
  const pictures = Object.entries(files).map(([name, bytes]) => [`blog/articles/${name}`, () => bytes] as const);
  return contentWith({
    ...Object.fromEntries(pictures),
    [article]: (text) => `${text.trimEnd()}\n\n${lines.join('\n\n')}\n`,
  });
}

/** A picture of one colour, because noise would only cost time. */
function plain(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#d9b382' } })
    .toFormat(format)
    .toBuffer();
}

const drawing = (inside: string, before = '') =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200">${inside}<path d="M0 0h9v9z"/></svg>`;

/** A small PNG whose header claims this many pixels a side. */
async function bomb(side: number): Promise<Buffer> {
  const bytes = await plain(8, 8, 'png');
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

describe('a picture that cannot be published is reported at its line', () => {
  const mistakes: { name: string; line: string; said: string }[] = [];
  const files: Record<string, Buffer | string> = {};
  let content: ContentFiles;
  let problems: readonly Problem[];

  function mistake(name: string, bytes: Buffer | string, said: string, line = `![Картинка](${name})`) {
    mistakes.push({ name, line, said });
    if (bytes.length > 0) files[name] = bytes;
  }

  beforeAll(async () => {
    const whole = await plain(800, 600);
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const rough = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#fff', noise } })
      .jpeg()
      .toBuffer();
    const spoilt = 'Файл испорчен, или внутри не то, что говорит его имя.';
    const moves = 'Картинка движется';
    const frame = (background: string) =>
      sharp({ create: { width: 700, height: 500, channels: 3, background } })
        .png()
        .toBuffer();
    mistake('https://example.com/a.png', '', 'Она с другого сайта.');
    mistake('../../../a.png', '', 'Рядом с этим файлом такой нет');
    mistake('photo.HEIC', '', 'Положите сюда png, jpg, webp, gif, avif или svg.');
    mistake('../../company.yaml', '', 'Это не картинка.');
    mistake('silent.jpg', whole, 'Не сказано, что на ней.', '![](silent.jpg)');
    mistake('cut.jpg', rough.subarray(0, rough.length / 2), spoilt);
    mistake(
      'heic.jpg',
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0and what no decoder here knows'),
      'iPhone: «Поделиться»',
    );
    mistake('wrong.png', whole, spoilt);
    mistake('bomb.png', await bomb(9000), 'В снимке больше 64 мегапикселей.');
    mistake('small.webp', await plain(671, 900, 'webp'), 'В ширину точек 671, а нужно не меньше 672.');
    mistake('heavy.jpg', Buffer.concat([whole, Buffer.alloc(16 * 1024 * 1024)]), 'Снимок больше 16 МБ.');
    mistake('heavy.svg', drawing(`<path d="${'M0 0h9v9z'.repeat(8000)}"/>`), 'Рисунок больше 64 КБ.');
    mistake('broken.svg', drawing('<g>'), spoilt);
    mistake('sizeless.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'нет ни viewBox, ни width и height');
    mistake('hostile.svg', drawing('<script>alert(1)</script>'), 'он что-то запускает');
    const frames = await Promise.all(['#111', '#999'].map(frame));
    for (const format of ['webp', 'gif'] as const)
      mistake(
        `moving.${format}`,
        await sharp(frames, { join: { animated: true } })
          .toFormat(format)
          .toBuffer(),
        moves,
      );
    const control = piece('png', 'acTL', Buffer.from('\0\0\0\x02\0\0\0\0'));
    mistake('moving.png', planted('png', await plain(700, 500, 'png'), control, 'start'), moves);
    const lines = mistakes.map(({ line }) => line);
    content = illustrated(lines, files);
    problems = await problemsOf(content);
  });

  test('every picture is reported exactly once, and nothing else is reported', () => {
    const expected = mistakes.map(({ name, line, said }) => [
      lineOf(content, article, line),
      expect.stringMatching(new RegExp(`^Картинка «${RegExp.escape(name)}»\\. .*${RegExp.escape(said)}`)),
    ]);
    const ordered = problems.toSorted((a, b) => a.line - b.line);
    expect(ordered.map(({ line, message }) => [line, message])).toEqual(expected);
    expect(new Set(problems.map(({ file }) => file))).toEqual(new Set([article]));
  });
});

test('a picture in the front matter is reported at its field', async () => {
  const file = fileIn('cases');
  const files = contentWith({ [file]: fielded('picture', '{ src: other.png, alt: Короб }') });
  const problem = { file, line: lineOf(files, file, 'other.png'), field: 'picture' };
  expect(await problemsOf(files)).toMatchObject([problem]);
});

describe('a picture in the folder of an article', () => {
  let main: ReturnType<typeof one>;
  let published: string[];
  beforeAll(async () => {
    const files = illustrated(
      [
        'Слова и ![Склад "утром"](warehouse.jpg) посреди строки.',
        '![Короб](more/box.svg "Подпись к <коробу>")',
        '![Ширина колонки](<Фото 1.PNG>)',
        '> ![В цитате](warehouse.jpg)',
        '![Экран 5" <b>](warehouse.jpg)',
      ],
      {
        'warehouse.jpg': await plain(1100, 700),
        'Фото 1.PNG': await plain(672, 300, 'png'),
        'more/box.svg': drawing('<defs><path id="a" d="M0 0h9"/></defs><use href="#a" fill="url(#a)"/>'),
      },
    );
    const site = await shownSite({ files });
    main = one(parseHtml(textAt(site, `/${article.replace('.md', '')}`)), 'main');
    const photographs = site.pictures().map(({ path }) => path);
    published = [...site.files, ...photographs].filter((path) => path.startsWith('/pictures/'));
  });

  test('has AVIF and WebP files in the available widths, its dimensions, and lazy loading', () => {
    const found = one(main, 'picture > img[alt="Склад «утром»"]');
    const { attrs: image } = found;
    const avif = found.parentNode?.querySelector('source')?.attrs ?? {};
    expect(avif.type).toBe('image/avif');
    expect(image).toMatchObject({ width: '1100', height: '700', loading: 'lazy', decoding: 'async' });
    expect(image.src).toMatch(/^\/pictures\/warehouse-672\.[0-9a-f]{10}\.webp$/);
    expect(image.sizes).toBe(avif.sizes);
    for (const [format, srcset = ''] of Object.entries({ avif: avif.srcset, webp: image.srcset })) {
      const files = srcset.split(', ').map((entry) => entry.split(' '));
      expect(files.map(([, width]) => width)).toEqual(['336w', '672w', '1008w']);
      for (const [path] of files) {
        expect(path).toMatch(new RegExp(`^/pictures/warehouse-\\d+\\.[0-9a-f]{10}\\.${format}$`));
        expect(published).toContain(path);
      }
    }
  });

  test('keeps quotes and angle brackets of its alternative text inside the attribute', () => {
    const alts = all(main, 'img').map(({ attrs }) => attrs.alt?.replaceAll('\u00A0', ' '));
    expect(alts).toContain('Экран 5" <b>');
  });

  test('becomes a figure if it is alone in its paragraph and has a caption', () => {
    const figure = one(main, 'figure');
    expect(textOf(one(figure, 'figcaption'))).toBe('Подпись к <коробу>');
    expect(one(figure, 'img').attrs).toMatchObject({ alt: 'Короб', width: '300', height: '200' });
    expect(one(figure, 'img').attrs.src).toMatch(/^\/pictures\/box\.[0-9a-f]{10}\.svg$/);
    expect(all(figure, 'source')).toEqual([]);
  });

  test('may have any name, and is published once under an ASCII name in lower case', () => {
    expect(published).toContainEqual(expect.stringMatching(/^\/pictures\/foto-1-672\.[0-9a-f]{10}\.avif$/));
    for (const path of published) expect(path).toMatch(/^[a-z0-9/._-]+$/);
    expect(published).toEqual([...new Set(published)]);
  });
});

test.each([
  ['jpeg', 5],
  ['jpeg', 6],
  ['png', 6],
  ['webp', 8],
  ['avif', 6],
] as const)(
  'a photograph in %s with EXIF orientation %i is rotated upright, and loses its location',
  async (format, orientation) => {
    // The location is in the third directory of EXIF.
    const photo = await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#d9b382' } })
      .withExif({ IFD0: { Copyright: 'secret-owner' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 45/1 0/1' } })
      .withMetadata({ orientation })
      .toFormat(format)
      .toBuffer();
    expect(photo.toString('latin1')).toContain('secret-owner');
    const name = `phone.${format}`;
    const files = new Map([[name, { hash: hashOf(photo), bytes: () => photo }]]);
    const picture = (await examinePictures(files, createCache())).get(name);
    if (!picture || 'message' in picture) throw new Error('The photograph is refused.');
    expect([picture.width, picture.height]).toEqual([1200, 900]);
    const sizes = photoPictures(picture, files.get(name)).filter(({ path }) => path.includes('-336.'));
    expect(sizes).toHaveLength(2);
    for (const size of sizes) {
      const bytes = await size.encode();
      const metadata = await sharp(bytes).metadata();
      expect([metadata.width, metadata.height, metadata.orientation]).toEqual([336, 252, undefined]);
      expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined]);
      expect(bytes.toString('latin1')).not.toContain('secret-owner');
    }
  },
);

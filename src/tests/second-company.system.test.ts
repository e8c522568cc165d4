import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cleanDrawing } from '../loading/clean-drawing.ts';
import { readFolder } from '../loading/content-files.ts';
import { checkContent, publishable } from '../publishing/check-site.ts';
import { builtAt, testInputs } from './support/built.ts';
import { all, one, parseHtml, textOf } from './support/html.ts';
import { filledForm, startTestSite } from './support/test-site.ts';

/*
 * Five services and one marketplace in another city, with a logo and a midday break of its own; no cargo, cases, blog,
 * questions, broadcast, VAT or toll-free number.
 */

const files = readFolder(join(import.meta.dirname, 'fixtures/second-company'));
const checked = await checkContent(files, { inputs: testInputs(), at: builtAt });
const site = await startTestSite({ site: publishable(checked) });
const pages = ['/contact', '/no-such-page', ...site.served.paths];
const textOfPage = async (path: string) => (await site.request(path)).text;

describe('a second company', () => {
  test('is made by content alone, without a warning', () => {
    expect(checked.problems).toEqual([]);
    expect(site.served.paths).toEqual([
      '/',
      '/rates',
      '/contacts',
      '/rates/calc',
      '/search',
      ...['priemka', 'upakovka', 'markirovka', 'sborka', 'rejs'].map((slug) => `/services/${slug}`),
      ...['/policy', '/useragree', '/consent'],
    ]);
  });

  test('has no word of the shipped company, and no section without an entry', async () => {
    const foreign =
      /короб|Москв|МКАД|[сc][\s\u00A0]НДС|Wildberries|Маркет\b|трансляц|эфир|камер|10[\s\u00A0]минут|Тула|8 \(800\)|undefined/iu;
    for (const path of [...pages, '/sitemap.xml', '/rates.csv', '/site.webmanifest']) {
      const text = await textOfPage(path);
      const seen = path.includes('.') ? text : textOf(parseHtml(text));
      expect([path, foreign.exec(seen)?.[0]]).toEqual([path, undefined]);
      const bodies = path.includes('.') ? [] : all(parseHtml(text), '.section-body').map(textOf);
      expect([path, bodies.filter((body) => body.trim() === '')]).toEqual([path, []]);
    }
  });

  test('has its own logo wherever the shipped one would be', async () => {
    const own = String(cleanDrawing(files.get('logo.svg')?.bytes() ?? Buffer.alloc(0)));
    expect(await textOfPage('/favicon.svg')).toBe(own);
    for (const path of pages) {
      const { attrs } = one(parseHtml(await textOfPage(path)), '.site-header-logo img');
      const { headers, text } = await site.request(String(attrs.src));
      expect([path, headers['content-type'], text]).toEqual([path, 'image/svg+xml', own]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    const { icons } = JSON.parse(await textOfPage('/site.webmanifest')) as { icons: { src: string }[] };
    // Until they are encoded.
    for (const path of ['/favicon.ico', '/apple-touch-icon.png', ...icons.map(({ src }) => src)])
      expect([path, await textOfPage(path)]).toEqual([path, own]);
  });

  test('closes for a break, and says so in words and to search engines', async () => {
    const contacts = await textOfPage('/contacts');
    const hours = 'Пн–пт 10:00–13:00 и 14:00–19:00, сб–вс — выходной';
    expect(
      all(parseHtml(contacts), 'main dd, footer p')
        .map(textOf)
        .filter((text) => text === hours),
    ).toHaveLength(2);
    const graph = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(contacts)?.[1] ?? '{}');
    const days = graph['@graph'][0].openingHoursSpecification;
    expect(days).toHaveLength(10);
    expect(days.slice(0, 2)).toMatchObject([
      { dayOfWeek: 'Monday', opens: '10:00', closes: '13:00' },
      { dayOfWeek: 'Monday', opens: '14:00', closes: '19:00' },
    ]);
  });

  test('has the words of its own city, taxes and calls', async () => {
    const home = textOf(one(parseHtml(await textOfPage('/')), 'main'));
    expect(home).toContain('без НДС');
    expect(home).toContain('Позвоним в течение 15 минут в рабочее время.');
    expect(home).toContain('Для готовых ящиков, время по часам склада (Казань).');
    expect(textOf(parseHtml(await textOfPage('/services/rejs')))).toContain(', для готовых ящиков, время');
    const calc = parseHtml(await textOfPage('/rates/calc'));
    expect(textOf(calc)).toContain('Сколько километров от города');
    expect(all(calc, '[name="mp"]')).toEqual([]);
    expect(await textOfPage('/rates/calc?units=500&weight=0,4&length=20&width=10&height=5&to=zelenodolsk')).toContain(
      'Ваш расчёт',
    );
  });

  test('takes a lead, and says what comes next', async () => {
    const { status, headers } = await site.post(filledForm);
    expect(status).toBe(303);
    const receipt = textOf(parseHtml(await textOfPage(String(headers.location))));
    expect(receipt).toContain('Пришлём договор на почту.');
    expect(receipt).toContain('+7 (843) 200-00-00');
  });
});

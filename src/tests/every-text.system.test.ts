import { expect } from '@jest/globals';
import Papa from 'papaparse';
import { parseDocument } from 'yaml';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../loading/content-files.ts';
import { leavesIn, partAt } from '../loading/schema-parts.ts';
import type { Source } from '../loading/source.ts';
import { readSources } from '../loading/sources.ts';
import { splitFile } from '../loading/yaml.ts';
import { sections } from '../routes.ts';
import { fakeBroadcast } from './support/fake-broadcast.ts';
import { type Change, contentWith } from './support/sample-content.ts';
import { testIf } from './support/test-if.ts';
import { filledForm, shownSite, startTestSite } from './support/test-site.ts';

/** Texts that no response says as they are, by the end of their place. */
const unsaid: Readonly<Record<string, string>> = {
  'company.yaml slogan': 'a word of pictures of links',
  'company.yaml workingHours timeZone': 'a name',
  'rates.yaml batches unit': 'a name that the rows of prices repeat',
  'calculator.yaml places unit': 'a name that plural forms repeat',
  'calculator.yaml plurals': 'forms of units, of which an order has some',
  'calculator.yaml example': 'an order',
};
const video = `https://rutube.ru/video/${'0123456789abcdef'.repeat(2)}/`;

/** Marks the texts of services, which all their tiers repeat. Batches and plural forms repeat their units. */
function markedTable(mark: (place: string) => string): Change {
  const marks = new Map<string, string>();
  return (text) => {
    const { data, meta } = Papa.parse<Record<string, string>>(text.trimEnd(), { header: true });
    for (const row of data) {
      for (const title of ['Услуга', 'Примечание']) {
        const place = `prices.csv ${row.id} ${title}`;
        if (!row[title]) continue;
        if (!marks.has(place)) marks.set(place, mark(place));
        row[title] += ` ${marks.get(place)}`;
      }
    }
    return Papa.unparse(data, { columns: meta.fields });
  };
}

/** Marks the texts of a file with words that nothing else has. */
function marked(source: Source<unknown>, mark: (place: string) => string): Change {
  if (source.file === 'prices.csv') return markedTable(mark);
  return (text) => {
    const parts = splitFile(source.file, text);
    if (parts === undefined) throw new Error(`${source.file} has no front matter.`);
    const document = parseDocument(parts.yaml.replace(/^---\n/, ''));
    // Samples do not appear everywhere.
    document.delete('sample');
    for (const { path, value } of leavesIn(document.toJS())) {
      const place = `${source.file} ${path.filter((key) => typeof key === 'string').join(' ')}`;
      const { pattern, format, enum: values, maxLength, 'x-mark': own } = partAt(source.schema, path) ?? {};
      if (own && 'shows' in own && own.shows === 'video') document.setIn(path, video);
      const isName = own && !('long' in own || 'markdown' in own);
      const isUnsaid = Object.keys(unsaid).some((one) => `${place} `.startsWith(`${one} `));
      if (typeof value !== 'string' || pattern || format || values || isName || isUnsaid) continue;
      const words = maxLength ? 'Слова, по которым страницу находят и узнают среди других' : value.trim();
      document.setIn(path, `${words} ${mark(place)}`);
    }
    const fields = document.toString({ lineWidth: 0 });
    if (!source.file.endsWith('.md')) return `${fields}\n`;
    const body = [mark(`${source.file}, above its text`), parts.body.trim(), mark(`${source.file}, below its text`)];
    return `---\n${fields}---\n\n${body.join('\n\n')}\n`;
  };
}

testIf({ shipped: true })('every text of the content is in some response', async () => {
  const places: string[] = [];
  const mark = (place: string) => `слово${places.push(place) - 1}я`;
  const { sources } = readSources(readFolder(paths.content), sections);
  const texts: readonly Source<unknown>[] = Object.values(sources).flat();
  const changes = texts.map((source) => [source.file, marked(source, mark)]);
  const broadcast = fakeBroadcast();
  const site = await shownSite({ files: contentWith(Object.fromEntries(changes)) });
  const { request, post } = await startTestSite({ site, broadcast });

  const seen = new Set<number>();
  const read = async (path: string) => {
    const { status, text } = await request(path);
    expect([path, status]).toEqual([path, 200]);
    for (const [, index] of text.matchAll(/слово(\d+)я/g)) seen.add(Number(index));
  };
  const send = async (fields: Record<string, string>) =>
    read(String((await post({ ...filledForm, ...fields })).headers.location));

  const { calculator, presets } = site.content;
  const order = (changed: Record<string, string>) => String(new URLSearchParams({ ...calculator.example, ...changed }));
  const orders = [
    ...calculator.schemes.map(({ id }) => order({ scheme: id })),
    order({ place: 'pallet', places: '1' }),
  ];
  const searches = ['q=фывапролд', ''].map((query) => `/search?${encodeURI(query)}`);
  for (const path of [...site.paths, '/rates.csv', '/contact', '/broadcast', ...searches]) await read(path);
  for (const one of orders) await read(`/rates/calc?${one}`);
  for (const { slug: preset } of presets) {
    await read(`/contact?preset=${preset}`);
    await send({ preset });
  }
  await send({ calc: order({}) });
  broadcast.state = { status: true, url: video };
  await read('/broadcast');

  expect(places.length).toBeGreaterThan(1_500);
  expect(places.filter((_, index) => !seen.has(index))).toEqual([]);
});

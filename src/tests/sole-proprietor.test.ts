import { expect, test } from '@jest/globals';
import { operatorLines } from '../commands/destruction-act.ts';
import { parseHtml, textOf } from './support/html.ts';
import { contentWith, valued } from './support/sample-content.ts';
import { shownSite, textAt } from './support/test-site.ts';

test('the registration number of a sole proprietor has its own name on every page and in acts', async () => {
  const ogrn = '304500116000157';
  const numbers = valued({ legalName: 'ИП Примерный Пётр Петрович', inn: '500100732259', ogrn });
  const files = contentWith({ 'company.yaml': (text) => numbers(text.replace(/^kpp: .*\n/m, '')) });
  const site = await shownSite({ files });
  const foreign = /(?:ОГРН(?!ИП)|КПП:?[\s\u00A0]*\d|Юридическое лицо)/u;
  const texts = site.paths.map((path) => [path, textOf(parseHtml(textAt(site, path)))] as const);
  expect(texts.filter(([, text]) => foreign.test(text)).map(([path]) => path)).toEqual([]);
  expect(texts.filter(([, text]) => text.includes(`ОГРНИП ${ogrn}`))).toHaveLength(texts.length);
  expect(operatorLines(site.content.company)).toContain(`, ОГРНИП ${ogrn}\n`);
});

import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod';
import { paths } from '../lib/paths.ts';
import type { Company } from '../model/content.ts';
import { contentWith, shippedTest } from '../testing/content.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import { inventedIn } from './invented.ts';
import { lintContent } from './lint.ts';
import { contentReader } from './source.ts';

const shipped: Company = parse(String(readFolder(paths.content).get('company.yaml')?.bytes()));

/** What `check` says of the company in some files, which are a content of their own. */
function told(files: ContentFiles) {
  const reader = contentReader(files);
  for (const name of files.keys()) reader.file(name, z.unknown());
  const problems = lintContent(reader.lint(), new Date()).filter(({ message }) => message.includes('из образца'));
  return problems.map(({ file, line, warning, message }) => [
    file,
    line,
    warning,
    /^«([^«].*[^»])» есть/.exec(message)?.[1],
  ]);
}

/** A content of two files. */
function contentOf(demo: boolean, text: string): ContentFiles {
  const both = { 'company.yaml': () => `demo: ${demo}\n`, 'news/a.md': () => `---\ntitle: Новость\n---\n${text}\n` };
  return contentWith(both, new Map());
}

test.each([
  ['В ООО\n«Короб»', 'ООО «Короб'],
  ['На складе «Короба»', 'Короба'],
  ['На складе "Короб"', '"Короб"'],
  ['Звоните 8 800 000-00-00', '8 800 000-00-00'],
  ['[WhatsApp](https://wa.me/74950000000)', '74950000000'],
  ['Пишите на sales@example.ru', 'sales@example.ru'],
  ['ИНН 0000000000', '0000000000'],
])('%j is a fact of the invented company', (text, found) => {
  expect(told(contentOf(false, text))).toEqual([['news/a.md', 4, true, found]]);
  expect(told(contentOf(true, text))).toEqual([]);
});

test.each(['Короб до 25 кг', 'Тип поставки «Короба и паллеты»', 'Коробка', '100 000 000 ₽', 'test@example.com'])(
  '%j may be anybody’s',
  (text) => {
    expect(told(contentOf(false, text))).toEqual([]);
  },
);

shippedTest('every fact that is the invented company’s alone is known', () => {
  const { legalName, inn, kpp, ogrn, phone, tollFree, email, address, social } = shipped;
  const facts = [legalName, inn, kpp, ogrn, email, ...Object.values(phone), ...Object.values(tollFree)]
    .concat([`name: ${shipped.name}`, `«${shipped.name}»`, address.street])
    .concat([address.latitude, address.longitude].map(String), ...social.map(({ href }) => href));
  expect(facts.filter((fact) => inventedIn(String(fact)).length === 0)).toEqual([]);
});

test('a file that names a fact of company.yaml is nobody’s', () => {
  expect(told(contentOf(false, 'Мы — {{ company.name }}, {{ company.email }}'))).toEqual([]);
});

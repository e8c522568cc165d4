import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { paths } from '../lib/paths.ts';
import type { Company } from '../model/content.ts';
import { contentWith, fileIn, shippedTest, valued } from '../testing/content.ts';
import { checkInvented, invented } from './check-company.ts';
import { readFolder } from './content-files.ts';
import { readSources } from './sources.ts';

const shipped: Company = parse(String(readFolder(paths.content).get('company.yaml')?.bytes()));
const file = fileIn('news');

/** What is said of a text in the content of a company that is invented, or not. */
async function told(demo: boolean, text: string) {
  const files = contentWith({
    'company.yaml': valued({ demo, slogan: 'Всё своё' }),
    [file]: (before) => `${before.replace(/(?<=\n---\n)[\s\S]*/, '')}${text}\n`,
  });
  const { sources } = readSources(files);
  return [...checkInvented({ sources })]
    .filter((problem) => problem.file === file)
    .map(({ warning, message }) => [warning, /^«([^«].*[^»])» есть/.exec(message)?.[1]]);
}

test.each([
  ['В ООО\n«Короб»', 'ООО «Короб'],
  ['На складе «Короба»', 'Короба'],
  ['На складе "Короб"', '"Короб"'],
  ['Звоните 8 800 000-00-00', '8 800 000-00-00'],
  ['[WhatsApp](https://wa.me/74950000000)', '74950000000'],
  ['Пишите на sales@example.ru', 'sales@example.ru'],
  ['ИНН 0000000000', '0000000000'],
])('%j is a fact of the invented company', async (text, found) => {
  expect(await told(false, text)).toEqual([[true, found]]);
  expect(await told(true, text)).toEqual([]);
});

test.each([
  'Короб до 25 кг',
  'Тип поставки «Короба и паллеты»',
  'Коробка',
  '100 000 000 ₽',
  'test@example.com',
  'Мы — {{ company.name }}, {{ company.email }}',
])('%j may be anybody’s', async (text) => {
  expect(await told(false, text)).toEqual([]);
});

shippedTest('every fact that is the invented company’s alone is known', () => {
  const { legalName, inn, kpp, ogrn, phone, tollFree, email, address, social } = shipped;
  const facts = [legalName, inn, kpp, ogrn, email, ...Object.values(phone), ...Object.values(tollFree)]
    .concat([`name: ${shipped.name}`, `«${shipped.name}»`, address.street])
    .concat([address.latitude, address.longitude].map(String), ...social.map(({ href }) => href));
  expect(facts.filter((fact) => String(fact).search(invented) === -1)).toEqual([]);
});

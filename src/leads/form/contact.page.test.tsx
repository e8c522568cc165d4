import { beforeAll, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { paths } from '../../lib/paths.ts';
import type { Content } from '../../model/content.ts';
import { readAssets } from '../../reading/assets.ts';
import { readFolder } from '../../reading/content-files.ts';
import { loadContent } from '../../reading/load.ts';
import { readPictures } from '../../reading/pictures.ts';
import { forgetfulMemo } from '../../store/memo.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../../testing/html.ts';
import { contactView, type FormState } from './contact.page.tsx';

let content: Content;

beforeAll(async () => {
  content = loadContent(readFolder(paths.content), readAssets(paths.public), {
    pictures: await readPictures(readFolder(paths.content), forgetfulMemo()),
  }).content;
});

function stateOf(preset: string, about: Partial<FormState> = {}): FormState {
  const found = content.presets.find(({ slug }) => slug === preset);
  if (!found) throw new Error(`There is no preset ${preset}.`);
  return { preset: found, values: {}, errors: [], key: 'a-key', page: '/rates', attribution: {}, ...about };
}

function render(state: FormState): Element {
  return parseHtml(renderToStaticMarkup(contactView({ content, form: state }).body));
}

const errors = [
  { field: 'name', message: 'Укажите, как к вам обращаться' },
  { field: 'phone', message: 'Проверьте телефон' },
  { field: 'message', message: 'Напишите ваш вопрос' },
  { field: 'consent', message: 'Отметьте согласие' },
];

test('an empty form sends its preset, key, page and attribution, and nothing is ticked', () => {
  const page = render(stateOf('question', { attribution: { utm_source: 'ya & co' } }));
  expect(Object.fromEntries(formData(one(page, 'form')))).toEqual({
    preset: 'question',
    key: 'a-key',
    page: '/rates',
    'attribution.utm_source': 'ya & co',
    name: '',
    phone: '',
    message: '',
    website: '',
  });
});

test.each([
  ['bonus', ['phone']],
  ['question', ['name', 'phone', 'message']],
])('the preset %s asks for %j and the consent', (preset, asked) => {
  const page = render(stateOf(preset));
  const labels = all(page, 'label').map(({ attributes }) => attributes.for);
  expect(labels).toEqual([...asked, 'consent'].map((field) => `field-${field}`).concat('website'));
});

test('every link of the summary leads to its field, which says the same words', () => {
  const page = render(stateOf('question', { errors }));
  const links = all(one(page, 'div', { role: 'alert' }), 'a');
  expect(links.map(textOf)).toEqual(errors.map(({ message }) => message));
  for (const [index, link] of links.entries()) {
    const field = one(page, '*', { id: link.attributes.href?.slice(1) ?? '' });
    expect(field.attributes.name).toBe(errors[index]?.field);
    expect(field.attributes['aria-invalid']).toBe('true');
    const notes = (field.attributes['aria-describedby'] ?? '').split(' ');
    const words = notes.map((id) => textOf(one(page, '*', { id })));
    expect(words).toContain(`Ошибка: ${errors[index]?.message}`);
  }
});

test('what concerns the whole form, or a field that is not shown, has no link', () => {
  const page = render(
    stateOf('bonus', {
      errors: [
        { field: '', message: 'Форма устарела' },
        { field: 'name', message: 'Имя' },
      ],
    }),
  );
  const summary = one(page, 'div', { role: 'alert' });
  expect(all(summary, 'li').map(textOf)).toEqual(['Форма устарела', 'Имя']);
  expect(all(summary, 'a')).toEqual([]);
});

test('the title says that there are errors, and only then', () => {
  expect(contactView({ content, form: stateOf('price') }).head.title).not.toMatch(/^Ошибка/);
  expect(contactView({ content, form: stateOf('price', { errors }) }).head.title).toMatch(/^Ошибка: /);
});

test('every value is kept as it was typed, whatever is in it', () => {
  const values = {
    name: `"><script>alert('1')</script>`,
    phone: '8 (9',
    message: '</textarea><b>& "кавычки"',
    consent: 'yes',
  };
  const page = render(stateOf('question', { values, errors }));
  expect(all(page, 'script')).toEqual([]);
  expect(Object.fromEntries(formData(one(page, 'form')))).toMatchObject(values);
});

test('a notice stands above the form as an alert, with the phone', () => {
  const page = render(stateOf('price', { notice: 'Слишком много заявок подряд.' }));
  const notice = one(page, 'div', { role: 'alert' });
  expect(textOf(notice)).toMatch(/^Слишком много заявок подряд\./);
  expect(one(notice, 'a').attributes.href).toBe(`tel:${content.company.tollFree.number}`);
});

test('nothing that was typed gets into the data of the page', () => {
  const { data } = contactView({
    content,
    form: stateOf('price', { values: { name: 'Анна', phone: '89161234567' } }),
  });
  expect(JSON.stringify(data)).not.toMatch(/Анна|8916/);
});

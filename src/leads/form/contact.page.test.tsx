import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { DatedBill } from '../../services/bill.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../../testing/html.ts';
import { shownSite } from '../../testing/test-site.ts';
import { contactView, type FormState } from './contact.page.tsx';
import { blank, type RequestPreset, type RequestValues } from './request.ts';

const content = (await shownSite()).content;

const most = { slug: 'most', name: true, message: 'required' } as const;
const least = { slug: 'least', name: false, message: 'none' } as const;

function stateOf(
  asked: RequestPreset,
  { values = {}, ...about }: Partial<Omit<FormState, 'values'>> & { values?: Partial<RequestValues> } = {},
): FormState {
  const [preset] = content.presets;
  if (!preset) throw new Error('There is no preset.');
  return {
    ...{ preset: { ...preset, ...asked }, errors: [] },
    values: { ...blank(), key: 'a-key', page: '/rates', ...values },
    promise: 'Позвоним завтра',
    ...about,
  };
}

function render(state: FormState): Element {
  return parseHtml(renderToStaticMarkup(contactView({ content, form: state }).body));
}

const errors = [
  { field: 'phone', message: 'Проверьте телефон' },
  { field: 'name', message: 'Сократите имя' },
  { field: 'message', message: 'Напишите ваш вопрос' },
  { field: 'consent', message: 'Отметьте согласие' },
];

test('an empty form sends its preset, key, page and attribution, and nothing is ticked', () => {
  const page = render(stateOf(most, { values: { attribution: { utm_source: 'ya & co' } } }));
  expect(Object.fromEntries(formData(one(page, 'form')))).toEqual({
    preset: 'most',
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
  [least, ['phone']],
  [most, ['phone', 'name', 'message']],
])('the preset %j asks for %j and the consent', (preset, asked) => {
  const page = render(stateOf(preset));
  const labels = all(page, 'label').map(({ attrs }) => attrs.for);
  expect(labels).toEqual([...asked, 'consent'].map((field) => `field-${field}`).concat('website'));
});

test('every link of the summary leads to its field, which says the same words', () => {
  const page = render(stateOf(most, { errors }));
  const links = all(one(page, 'div[role="alert"]'), 'a');
  expect(links.map(textOf)).toEqual(errors.map(({ message }) => message));
  for (const [index, link] of links.entries()) {
    const field = one(page, `[id="${link.attrs.href?.slice(1) ?? ''}"]`);
    expect(field.attrs.name).toBe(errors[index]?.field);
    expect(field.attrs['aria-invalid']).toBe('true');
    const notes = (field.attrs['aria-describedby'] ?? '').split(' ');
    const words = notes.map((id) => textOf(one(page, `[id="${id}"]`)));
    expect(words).toContain(`Ошибка: ${errors[index]?.message}`);
  }
});

test('what concerns the whole form, or a field that is not shown, has no link', () => {
  const page = render(
    stateOf(least, {
      errors: [
        { field: '', message: 'Форма устарела' },
        { field: 'name', message: 'Имя' },
      ],
    }),
  );
  const summary = one(page, 'div[role="alert"]');
  expect(all(summary, 'li').map(textOf)).toEqual(['Форма устарела', 'Имя']);
  expect(all(summary, 'a')).toEqual([]);
});

test('the title says that there are errors, and only then', () => {
  expect(contactView({ content, form: stateOf(most) }).head.title).not.toMatch(/^Ошибка/);
  expect(contactView({ content, form: stateOf(most, { errors }) }).head.title).toMatch(/^Ошибка: /);
});

test('every value is kept as it was typed, whatever is in it', () => {
  const values = {
    name: `"><script>alert('1')</script>`,
    phone: '8 (9',
    message: '</textarea><b>& "кавычки"',
  };
  const page = render(stateOf(most, { values: { ...values, consent: true }, errors }));
  expect(all(page, 'script')).toEqual([]);
  expect(Object.fromEntries(formData(one(page, 'form')))).toMatchObject({ ...values, consent: 'yes' });
});

test('a notice stands above the form as an alert, with the phone', () => {
  const page = render(stateOf(most, { notice: 'Слишком много заявок подряд.' }));
  const notice = one(page, 'div[role="alert"]');
  expect(textOf(notice)).toMatch(/^Слишком много заявок подряд\./);
  expect(one(notice, 'a').attrs.href).toBe(`tel:${content.company.tollFree.number}`);
});

test('when the call comes is said before the form', () => {
  const words = textOf(render(stateOf(most, { promise: 'Сейчас закрыто, позвоним завтра' })));
  expect(words.indexOf('Сейчас закрыто, позвоним завтра.')).toBeLessThan(words.indexOf('Телефон'));
});

test('what one reads before agreeing opens beside the form', () => {
  for (const integrations of [{}, { turnstileSiteKey: 'a-site-key' }]) {
    const page = parseHtml(
      renderToStaticMarkup(contactView({ content: { ...content, integrations }, form: stateOf(most) }).body),
    );
    const links = all(one(page, 'form'), 'a');
    expect(links.length).toBeGreaterThan(0);
    expect(links.map(({ attrs }) => attrs.target)).toEqual(links.map(() => '_blank'));
  }
});

describe('with a calculation', () => {
  const bill: DatedBill = {
    order: 'Ozon, FBO, 10 шт.',
    rows: [{ text: 'Пакет', formula: '10 шт. × 11 ₽', sum: '110 ₽' }],
    total: '110 ₽',
    perUnit: '11 ₽',
    ...{ effective: '2026-11-01', address: 'https://korob.example/rates/calc' },
  };
  const order = { bill, query: 'mp=ozon&units=10' };

  test('the form asks for nothing again: it says what it comes to, and the rows are folded', () => {
    const page = render(stateOf({ ...most, slug: 'calculation', message: 'optional' }, { order }));
    expect(textOf(one(page, 'h1'))).toBe('Отправить расчёт менеджеру');
    expect(textOf(one(page, 'p.lead'))).toContain('ничего вводить заново не нужно');
    expect(textOf(one(page, 'button[type="submit"]'))).toBe('Отправить расчёт');
    const folded = one(page, 'details');
    expect(folded.attrs).not.toHaveProperty('open');
    expect(textOf(one(folded, 'summary'))).toBe('Расчёт: 110 ₽');
    expect(textOf(one(folded, 'table'))).toContain('Пакет');
    expect(all(folded, 'a').map(({ attrs }) => attrs.href)).toEqual(['/rates/calc?mp=ozon&units=10']);
    const form = one(page, 'form');
    expect(formData(form).get('calc')).toBe(order.query);
    const demanded = all(form, '[required]').map(({ attrs }) => attrs.name);
    expect(demanded).toEqual(['phone', 'consent']);
  });

  test('any other form keeps its own words', () => {
    const { title, button } = stateOf(least).preset;
    const page = render(stateOf(least, { order }));
    expect([textOf(one(page, 'h1')), textOf(one(page, 'button[type="submit"]'))]).toEqual([
      textOf(title),
      textOf(button),
    ]);
    expect(textOf(one(page, 'summary'))).toBe('Расчёт: 110 ₽');
  });
});

test('nothing that was typed gets into the data of the page', () => {
  const { data } = contactView({
    content,
    form: stateOf(most, { values: { name: 'Анна', phone: '89161234567' } }),
  });
  expect(JSON.stringify(data)).not.toMatch(/Анна|8916/);
});

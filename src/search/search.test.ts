import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Content } from '../model/content.ts';
import { shippedTest } from '../testing/content.ts';
import { shownSite } from '../testing/test-site.ts';
import { textOf } from './documents.ts';
import { prepareIndex } from './index-of.ts';
import { search as searchFor } from './search.ts';

const content = (await shownSite()).content;

const [departure] = content.departures;

function search(of: Content, query: string) {
  const { found, document, ...rest } = searchFor(of, query);
  return { found: found.map(document), ...rest };
}

function found(query: string, count = 3, of: Content = content): string[] {
  return search(of, query)
    .found.slice(0, count)
    .map(({ path }) => path);
}

describe('a word is found', () => {
  shippedTest.each(['упаковка', 'упаковкой', 'упаковать', 'упаковываем', 'УПАКОВКУ', 'упаковок'])(
    'in the form «%s»',
    (form) => {
      expect(found(form, 1)).toEqual(['/services/package']);
    },
  );

  shippedTest.each([
    ['хранить', '/services/storage'],
    ['маркируем', '/services/marking'],
    ['проверить товар', '/services/verification'],
  ])('by a verb of its root: «%s»', (query, path) => {
    expect(found(query)).toContain(path);
  });

  shippedTest.each(['фулфилмент', 'фулфиллмент', 'фуллфилмент', 'фуллфиллмент', 'фулфимлент', 'fulfilment'])(
    'in the spelling «%s»',
    (query) => {
      expect(found(query, 1)).toEqual(['/services/fulfillment']);
    },
  );

  shippedTest('with «е» for «ё», and with an accent', () => {
    expect(found('съемка', 10)).toEqual(found('съёмка', 10));
    expect(search(content, 'съемка').corrected).toEqual([]);
    expect(found('съёмка', 1)).toEqual(['/services/photo']);
    expect(found('хране\u0301ние', 1)).toEqual(['/services/storage']);
    expect(found('услуги и\u0306'.normalize('NFD'), 1)).toEqual(found('услуги й', 1));
  });

  shippedTest.each(['afkabkvtyn', 'fulfilment', 'AFKABKVTYN'])(
    'typed with the keyboard of another language: «%s»',
    (query) => {
      expect(found(query, 1)).toEqual(['/services/fulfillment']);
    },
  );

  shippedTest('even where the other keyboard has a sign for its letter', () => {
    // «хранение» on a Latin layout.
    expect(found('[hfytybt', 1)).toEqual(['/services/storage']);
  });

  shippedTest.each([
    ['upakovka', '/services/package'],
    ['foto', '/services/photo'],
    ['hranenie', '/services/storage'],
  ])('in Latin letters: «%s»', (query, path) => {
    expect(found(query)).toContain(path);
  });

  shippedTest('by its beginning', () => {
    expect(found('фулф', 1)).toEqual(['/services/fulfillment']);
    expect(found('фото', 1)).toEqual(['/services/photo']);
  });

  shippedTest('with two letters in each other’s place, even in a short word', () => {
    expect(search(content, 'скалд').corrected).toEqual([{ typed: 'скалд', instead: 'склад' }]);
  });

  shippedTest('by another name that the table has for it', () => {
    const names = ['wildberries', 'WB', 'вб', 'Вайлдберриз', 'вайлдбериз'].map((name) => found(name, 20));
    expect(new Set(names.map((paths) => paths.join())).size).toBe(1);
    expect(names[0]).toContain('/services/marketplace-delivery');
    expect(found('ФБО', 20)).toEqual(found('FBO', 20));
    expect(found('чз', 1)).toEqual(['/services/marking']);
    expect(found('Честный ЗНАК', 20).sort()).toEqual(found('чз', 20).sort());
  });

  shippedTest('by a name that an editor adds', () => {
    expect(search(content, 'кинескоп').found).toEqual([]);
    const synonyms = [...content.search.synonyms, ['маркировка', 'кинескоп']];
    expect(found('кинескоп', 1, { ...content, search: { synonyms } })).toEqual(['/services/marking']);
  });

  shippedTest('as a number, with its thousands apart or together, and never as one that is like it', () => {
    expect(found('1 000 кодов', 10)).toEqual(found('1000 кодов', 10));
    expect(found('1000 кодов', 2)).toContain('/rates#marking');
    expect(search(content, '10007').found).toEqual([]);
  });
});

shippedTest.each([
  ['service', 'фотосъёмка', '/services/photo'],
  ['rates', 'цена доставки в Тулу', '/rates#region-delivery'],
  ['departures', `расписание ${departure?.warehouse}`, `${departure?.service}#departures`],
  ['section', 'калькулятор', '/rates/calc'],
  ['section', 'часы работы', '/contacts'],
  ['question', 'как заключить договор', '/questions#contract'],
  ['case', 'бижутерия', '/cases/costume-jewellery-photo-cards'],
  ['article', 'плотность груза', '/blog/articles/plotnost-gruza'],
  ['article', 'слоты в ноябре', '/blog/news/sloty-v-noyabre'],
  ['article', 'куда клеить этикетку', '/blog/video-news/kuda-kleit-etiketku'],
  ['news', 'новые ворота приёмки', '/about/novosti/novye-vorota-priemki'],
  ['legal', 'политика конфиденциальности', '/policy'],
])('a page of the kind %s is found: «%s»', (kind, query, path) => {
  const first = search(content, query).found.slice(0, 3);
  expect(first.map((one) => [one.kind, one.path])).toContainEqual([kind, path]);
});

describe('of several words', () => {
  shippedTest('pages must have all, and the best come first', () => {
    const both = search(content, 'упаковка хрупкого').found.map(({ path }) => path);
    const one = search(content, 'упаковка').found.map(({ path }) => path);
    expect(both.length).toBeGreaterThan(0);
    expect(both.length).toBeLessThan(one.length);
    expect(one).toEqual(expect.arrayContaining(both));
  });

  shippedTest('those that say nothing are left out', () => {
    expect(found('сколько стоит и как упаковать', 5)).toEqual(found('стоит упаковать', 5));
    expect(search(content, 'как').unknown).toEqual([]);
  });

  shippedTest('a page with most is shown if none has all, and it is said', () => {
    const { found: pages, partial } = search(content, 'бижутерия паллета договор');
    expect(partial).toBe(true);
    expect(pages.length).toBeGreaterThan(0);
    expect(search(content, 'упаковка').partial).toBe(false);
  });

  shippedTest('unknown ones are named, and the others are searched for', () => {
    const { found: pages, unknown } = search(content, 'упаковка xyzzy');
    expect(unknown).toEqual(['xyzzy']);
    expect(pages[0]?.path).toBe('/services/package');
  });
});

shippedTest('what was searched for instead is told', () => {
  expect(search(content, 'фуллфилмент').corrected).toEqual([{ typed: 'фуллфилмент', instead: 'фулфилмент' }]);
  expect(search(content, 'вайлдбериз').corrected).toEqual([{ typed: 'вайлдбериз', instead: 'Wildberries' }]);
  expect(search(content, 'фулфилмент').corrected).toEqual([]);
});

shippedTest('nothing like a word: words that begin as it does are proposed', () => {
  const { found: pages, unknown, nearest } = search(content, 'хранограмма');
  expect([pages, unknown]).toEqual([[], ['хранограмма']]);
  expect(nearest).toContain('хранение');
  expect(search(content, 'ъъъъъъъъ').nearest).toEqual([]);
});

test.each(['', ' ', '!?', '«»', '-'])('%j finds nothing and misses nothing', (query) => {
  expect(search(content, query)).toMatchObject({ found: [], partial: false, corrected: [], unknown: [], nearest: [] });
});

describe('of the pages that have a word, the first', () => {
  const [question, study, article, news] = [
    content.questions[0],
    content.cases[0],
    content.articles[0],
    content.news[0],
  ];
  if (!question || !study || !article || !news)
    throw new Error('The content that ships has nothing to take for a sample.');

  const asking = (...questions: readonly (readonly [title: string, text: string])[]): Content => ({
    ...content,
    questions: questions.map(([title, text], at) => {
      return {
        ...question,
        slug: `${at}`,
        question: title,
        answer: { html: text, text, headings: [], parts: [], minutes: 1 },
      };
    }),
  });
  const order = (query: string, of: Content) => found(query, 20, of).map((path) => Number(path.split('#')[1]));

  test('have it in the title, then in a short text, then in a long one', () => {
    const of = asking(['', `кракозябра ${'и так далее '.repeat(20)}`], ['', 'кракозябра'], ['кракозябра', '']);
    expect(order('кракозябра', of)).toEqual([2, 1, 0]);
  });

  test('are of the kind that is looked for most, and equals keep their order', () => {
    const heading = 'Кракозябра';
    const of = {
      ...asking([heading, ''], [heading, '']),
      cases: [{ ...study, heading }],
      articles: [{ ...article, heading }],
      news: [{ ...news, heading }],
    };
    const kinds = search(of, heading).found.map(({ kind }) => kind);
    expect(kinds).toEqual(['question', 'question', 'article', 'case', 'news']);
    expect(order(heading, of).slice(0, 2)).toEqual([0, 1]);
  });

  test('have the rarer of two', () => {
    expect(order('кракозябра мымра', asking(['', 'кракозябра'], ['', 'мымра'], ['', 'кракозябра']))).toEqual([1, 0, 2]);
  });

  test('have it, and not a rarer one that resembles it', () => {
    const common = Array.from({ length: 9 }, () => ['', 'xylograph'] as const);
    expect(order('xylograph', asking(['', 'xylographer'], ...common)).at(-1)).toBe(0);
  });

  test('have enough of several, or as many as any has', () => {
    const of = asking(['', 'кракозябра мымра выхухоль'], ['', 'кракозябра мымра'], ['', 'кракозябра']);
    expect(order('кракозябра мымра выхухоль', of)).toEqual([0, 1]);
    expect(order('кракозябра мымра', of).sort()).toEqual([0, 1]);
  });
});

describe('a result', () => {
  const text = (parts: readonly { text: string }[]) => parts.map((part) => part.text).join('');

  shippedTest('marks the words in the title and in the part of the text that has most of them', () => {
    const { found: pages, show } = search(content, 'честный знак импортёр');
    const page = pages.find(({ path }) => path === '/questions#marking');
    if (page === undefined) throw new Error('The question is not found.');
    const { title, excerpt } = show(page);
    expect(title.filter(({ marked }) => marked).map((part) => part.text)).toEqual(['Честного ЗНАКа']);
    expect(excerpt.filter(({ marked }) => marked).map((part) => part.text)).toContain('импортёр');
    expect(text(title)).toBe(page.title);
    expect(text(excerpt).length).toBeLessThan(240);
  });

  shippedTest('is text: no tags, no entities, and a table reads as one', () => {
    for (const page of search(content, 'товар').found) {
      expect(textOf(page)).not.toMatch(/<\/?[a-z]|&(?:amp|lt|gt|quot|#\d+);/);
    }
    expect(search(content, 'обувь подошва').found.slice(0, 1).map(textOf).join()).toContain(
      'Обувь · 6–7 · пара, профиль',
    );
  });
});

test('a post that visitors do not see is not found, because it is not in the content', () => {
  const [first] = content.news;
  const news = content.news.filter((one) => one !== first);
  const path = `/about/novosti/${first?.slug}`;
  expect(found(first?.heading ?? '', 5)).toContain(path);
  expect(found(first?.heading ?? '', 100, { ...content, news })).not.toContain(path);
});

test('whatever is typed, the search answers, and shows all that it finds', () => {
  const query = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
  );
  const words = fc.array(
    fc.constantFrom('упак', 'wb', '__proto__', 'constructor', '1 000', 'ё', "[hf'", '%', '\u0301'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        query,
        words.map((all) => all.join(' ')),
      ),
      (typed) => {
        const { found: pages, show } = search(content, typed);
        for (const page of pages.slice(0, 3)) show(page);
      },
    ),
    { numRuns: 200 },
  );
});

test('while an index is prepared, other work has its turn, and searches find what they find afterwards', async () => {
  const prepared = { ...content };
  const before = found('упаковка', 20);
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const ready = prepareIndex(prepared);
  expect(found('упаковка', 20, prepared)).toEqual(before);
  await ready.finally(() => clearInterval(other));
  expect(turns).toBeGreaterThan(5);
  expect(found('упаковка', 20, prepared)).toEqual(before);
});

test('of a query of any length, the beginning is read', () => {
  const long = 'упаковка '.repeat(10).padEnd(100_000, ' кракозябра');
  expect(found(long, 20)).toEqual(found('упаковка', 20));
});

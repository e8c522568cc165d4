import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Content } from '../model/content.ts';
import { shippedTest } from '../testing/content.ts';
import { shownSite } from '../testing/test-site.ts';
import { textOf } from './documents.ts';
import { prepareIndex } from './index-of.ts';
import { resultOf, search } from './search.ts';

const content = (await shownSite()).content;

function documents(query: string, of: Content = content) {
  return search(of, query).found.map(({ document }) => document);
}

function found(query: string, count = 3, of: Content = content): string[] {
  return documents(query, of)
    .slice(0, count)
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

  shippedTest('by another name that the table has for it', () => {
    const names = ['wildberries', 'WB', 'вб', 'Вайлдберриз', 'вайлдбериз'].map((name) => found(name, 20));
    expect(new Set(names.map((paths) => paths.join())).size).toBe(1);
    expect(names[0]).toContain('/services/marketplace-delivery');
    expect(found('ФБО', 20)).toEqual(found('FBO', 20));
    expect(found('чз', 1)).toEqual(['/services/marking']);
    expect(found('Честный ЗНАК', 20).sort()).toEqual(found('чз', 20).sort());
  });

  shippedTest('by a name that an editor adds', () => {
    expect(found('кинескоп')).toEqual([]);
    const synonyms = [...content.search.synonyms, ['маркировка', 'кинескоп']];
    expect(found('кинескоп', 1, { ...content, search: { synonyms } })).toEqual(['/services/marking']);
  });

  shippedTest('as a number, with its thousands apart or together, and never as one that is like it', () => {
    expect(found('1 000 кодов', 10)).toEqual(found('1000 кодов', 10));
    expect(found('1000 кодов', 10)).toContain('/rates#marking');
    expect(found('10007')).toEqual([]);
  });
});

shippedTest.each([
  ['service', 'фотосъёмка', '/services/photo'],
  ['rates', 'цена доставки в Тулу', '/rates#region-delivery'],
  ['service', `расписание ${content.departures[0]?.warehouse}`, content.departures[0]?.service],
  ['section', 'калькулятор', '/rates/calc'],
  ['section', 'часы работы', '/contacts'],
  ['question', 'как заключить договор', '/questions#contract'],
  ['case', 'бижутерия', '/cases/costume-jewellery-photo-cards'],
  ['article', 'плотность груза', '/blog/articles/plotnost-gruza'],
  ['article', 'слоты в ноябре', '/blog/news/sloty-v-noyabre'],
  ['article', 'куда клеить этикетку', '/blog/video-news/kuda-kleit-etiketku'],
  ['news', 'вторые ворота приёмки', '/about/novosti/novye-vorota-priemki'],
  ['legal', 'политика конфиденциальности', '/policy'],
])('a page of the kind %s is found: «%s»', (kind, query, path) => {
  const first = documents(query).slice(0, 3);
  expect(first.map((one) => [one.kind, one.path])).toContainEqual([kind, path]);
});

describe('of several words', () => {
  shippedTest('pages must have all, and the best come first', () => {
    const both = found('упаковка хрупкого', 100);
    const one = found('упаковка', 100);
    expect(both.length).toBeGreaterThan(0);
    expect(both.length).toBeLessThan(one.length);
    expect(one).toEqual(expect.arrayContaining(both));
  });

  shippedTest('those that say nothing are left out', () => {
    expect(found('сколько стоит и как упаковать', 5)).toEqual(found('стоит упаковать', 5));
  });

  shippedTest('pages with some are shown if none has all, and it is said', () => {
    const { found: pages, exact } = search(content, 'бижутерия паллета договор');
    expect(exact).toBe(false);
    expect(pages.length).toBeGreaterThan(0);
    expect(search(content, 'упаковка').exact).toBe(true);
    expect(found('упаковка xyzzy', 1)).toEqual(['/services/package']);
  });
});

shippedTest('what was searched for instead is told', () => {
  expect(search(content, 'egfrjdrf')).toMatchObject({ meant: 'упаковка', exact: true });
  expect(search(content, 'фуллфилмент')).toMatchObject({ meant: 'фуллфилмент', exact: false });
});

shippedTest.each(['фыва', 'xyzzy', 'ъъъъъъъъ'])('nothing is found for «%s»', (query) => {
  expect(found(query)).toEqual([]);
});

test.each(['', ' ', '!?', '«»', '-', 'как'])('%j finds nothing', (query) => {
  expect(search(content, query)).toEqual({ found: [], meant: query, exact: true });
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
    const kinds = documents(heading, of).map(({ kind }) => kind);
    expect(kinds).toEqual(['question', 'question', 'article', 'case', 'news']);
    expect(order(heading, of).slice(0, 2)).toEqual([0, 1]);
  });
});

describe('a result', () => {
  const text = (parts: readonly { text: string }[]) => parts.map((part) => part.text).join('');

  shippedTest('marks the words in the title and in the part of the text that has most of them', () => {
    const page = search(content, 'честный знак импортёр').found.find(
      ({ document }) => document.path === '/questions#marking',
    );
    if (page === undefined) throw new Error('The question is not found.');
    const { title, excerpt } = resultOf(content, page);
    expect(title.filter(({ marked }) => marked).map((part) => part.text)).toEqual(['Честного ЗНАКа']);
    expect(excerpt.filter(({ marked }) => marked).map((part) => part.text)).toContain('импортёр');
    expect(text(title)).toBe(page.document.title);
    expect(text(excerpt).length).toBeLessThan(300);
  });

  shippedTest('is text: no tags, no entities, and a table reads as one', () => {
    for (const page of documents('товар')) {
      expect(textOf(page)).not.toMatch(/<\/?[a-z]|&(?:amp|lt|gt|quot|#\d+);/);
    }
    expect(documents('обувь подошва').slice(0, 1).map(textOf).join()).toContain('Обувь · 6–7 · пара, профиль');
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
        for (const page of search(content, typed).found.slice(0, 3)) resultOf(content, page);
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

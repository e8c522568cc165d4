import { expect, test } from '@jest/globals';
import { typeset } from '../model/typography.ts';
import { htmlOf } from '../tests/support/prose-of.ts';
import { readMarkdown } from './markdown.ts';

const link = (href: string, text: string) => `<a href="${href}" rel="noopener">${text}</a>`;

const facts = new Map([['company.email', 'a_b@c.ru']]);
const rendered = (written: string) => typeset(htmlOf(readMarkdown(written, facts).blocks)).replaceAll('\u00A0', ' ');

test.each([
  ['Короб 60*40*40 и *60*40*', 'Короб 60×40×40 и <em>60×40</em>'],
  ['**60*40** и 0,6*0,4', '<strong>60×40</strong> и 0,6×0,4'],
  ['На info@example.ru.', 'На <a href="mailto:info@example.ru">info@example.ru</a>.'],
  ['На {{ company.email }}.', 'На <a href="mailto:a_b@c.ru">a_b@c.ru</a>.'],
  ['[На {{ company.email }}](/a)', '<a href="/a">На a_b@c.ru</a>'],
  ['[Да](mailto:{{ company.email }} "Куда")', '<a href="mailto:a_b@c.ru" title="Куда">Да</a>'],
  ['\\{{ company.email }}, \\*да\\*, \\q', '{{ company.email }}, *да*, \\q'],
  ['Раз\nдва\\\nтри', 'Раз два<br/>\nтри'],
  ['(https://a.ru/b_c_d)', `(${link('https://a.ru/b_c_d', 'https://a.ru/b_c_d')})`],
  [
    'youtube.com/watch?v=a, www.a.ru',
    `${link('https://youtube.com/watch?v=a', 'youtube.com/watch?v=a')}, ${link('https://www.a.ru', 'www.a.ru')}`,
  ],
  ['Ozon.ru, и/или, 12.05/13.05, a.md', 'Ozon.ru, и/или, 12.05/13.05, a.md'],
  ['Код `SKU-1 60*40` и ~~5~~', 'Код <code>SKU-1 60*40</code> и <s>5</s>'],
  ['[Да](javascript:alert)', '[Да](javascript:alert)'],
])('a paragraph %j is rendered as it was meant', (written, html) => {
  expect(rendered(written)).toBe(`<p>${html}</p>\n`);
});

test.each([
  ['- 60*40\n- 40*40', '<ul><li>60×40</li><li>40×40</li></ul>'],
  ['- Раз\n\n- Два\n  - три', '<ul><li><p>Раз</p></li><li><p>Два</p><ul><li>три</li></ul></li></ul>'],
  ['2. Раз\n3. Два', '<ol start="2"><li>Раз</li><li>Два</li></ol>'],
  ['```js\na  = 1*2\nb\n```', '<pre><code class="language-js">a  = 1*2\nb\n</code></pre>'],
  ['## А\n### Б\n## А', '<h2 id="а">А</h2><h3 id="б">Б</h3><h2 id="а-2">А</h2>'],
  ['Раз\n\n***', '<p>Раз</p><hr/>'],
])('a block %j is rendered as it was meant', (written, html) => {
  expect(rendered(written).replaceAll(/>\n/g, '>')).toBe(html);
});

test('a table has a name, by the heading above and its number below it', () => {
  const table = '|60*40|\n|---|\n|1|';
  const html = rendered([table, '## Размеры', table, table].join('\n\n'));
  expect([...html.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    ...['Таблица', 'Размеры', 'Размеры, таблица 2'],
  ]);
  expect(html).toContain('<th scope="col">60×40</th>');
});

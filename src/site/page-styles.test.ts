import { describe, expect, test } from '@jest/globals';
import { styleRules } from '../../scripts/styles.ts';
import { typesetPage } from '../model/typography.ts';
import { stylesFor, wholeStyles } from './page-styles.ts';

const shown = (css: string, body: string, scripts: readonly string[] = []) =>
  stylesFor(styleRules(css, scripts), typesetPage(body).tags);

describe('the styles of a page', () => {
  test.each([
    ['.card{a:b}', '<p class="card">', true],
    ['.card{a:b}', '<p class="cards card-figure">', false],
    ['.list .card{a:b}', '<p class="list wide"><b class="card"></b>', true],
    ['.list .card{a:b}', '<p class="card">', false],
    ['.card,.list{a:b}', '<p class="list">', true],
    ['table td{a:b}', '<p>', false],
    ['html{a:b}body>:first-child{a:b}', '<p>', true],
    [':root{a:b}*{a:b}::selection{a:b}[hidden]{a:b}[data-of=td]{a:b}', '<p>', true],
    ['p:not(.card){a:b}p:has(>td,:is(.b,.c)){a:b}p:nth-of-type(2n){a:b}p:hover::before{a:b}', '<p>', true],
    ['@keyframes fade{0%{a:b}to{a:c}}', '<p>', true],
  ])('keep %s on %s: %p', (css, body, kept) => {
    expect(shown(css, body)).toBe(kept ? css : '');
  });

  test('keep what scripts add later', () => {
    const script = 'a.className="on-air",b.append(document.createElement("video"))';
    expect(shown('.on-air{a:b}.on{a:b}video{a:b}', '<p>', [script])).toBe('.on-air{a:b}video{a:b}');
    expect(shown('.card .on-air{a:b}', '<p>', [script])).toBe('');
  });

  test('lose a media query that became empty', () => {
    const css = '@media print{.card{a:b}@supports (a:b){.card{a:b}p{a:b}}}@media print{.card{a:b}}';
    expect(shown(css, '<p>')).toBe('@media print{@supports (a:b){p{a:b}}}');
  });

  test('are all there for a page that scripts refresh', () => {
    const css = '@media print{.card{a:b}}.list{a:b}';
    expect(wholeStyles(styleRules(css, []))).toBe(css);
  });
});

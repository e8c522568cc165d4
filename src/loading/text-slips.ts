import type MarkdownIt from 'markdown-it';
import { guillemets } from './problem.ts';

export type MarkdownToken = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

export type TextSlip = { message: string; line: number; warning?: true };

/** What Markdown understands in another way than its writer meant. Lines count from 1. */
export function textSlips(tokens: readonly MarkdownToken[], lines: readonly string[]): TextSlip[] {
  return [...unevenRows(tokens, lines), ...loneItems(tokens, lines), ...unclosedCode(tokens, lines)];
}

/** Markdown drops cells that no column has, and takes a line under a table for a row. */
function* unevenRows(tokens: readonly MarkdownToken[], lines: readonly string[]): Iterable<TextSlip> {
  let columns = 0;
  for (const { type, map } of tokens) {
    if (type === 'thead_open') columns = 0;
    if (type === 'th_open') columns += 1;
    if (type !== 'tr_open' || columns === 0 || !map) continue;
    const row = lines[map[0]] ?? '';
    const { length: cells } = cellsOf(row);
    if (cells === columns) continue;
    const remedy = row.includes('|')
      ? 'Допишите недостающие или сотрите лишние; пустая ячейка - это пробел между чертами.'
      : 'Если таблица кончилась, поставьте после неё пустую строку.';
    yield { message: `Ячеек в этой строке таблицы ${cells}, а столбцов ${columns}. ${remedy}`, line: map[0] + 1 };
  }
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);
}

/** A wrapped line may begin with a number or a dash. */
function* loneItems(tokens: readonly MarkdownToken[], lines: readonly string[]): Iterable<TextSlip> {
  for (const [index, { type, level, map }] of tokens.entries()) {
    if (!/^(?:bullet|ordered)_list_open$/.test(type) || level > 0 || !map) continue;
    const [paragraph, text, end] = tokens.slice(Math.max(0, index - 3), index);
    const isGlued = end?.type === 'paragraph_close' && paragraph?.map?.[1] === map[0];
    if (!isGlued || text?.content.endsWith(':') || itemsAfter(tokens, index) > 1) continue;
    const [mark = ''] = lines[map[0]]?.trim().split(' ') ?? [];
    const message = `Строка начинается с ${guillemets(mark)}, и вышел список из одного пункта. Если это список, поставьте перед ним пустую строку, если нет, перенесите начало на строку выше.`;
    yield { message, line: map[0] + 1, warning: true };
  }
}

/** @param list index of its first token */
function itemsAfter(tokens: readonly MarkdownToken[], list: number): number {
  let count = 0;
  for (let at = list + 1; (tokens[at]?.level ?? 0) > 0; at += 1)
    if (tokens[at]?.type === 'list_item_open' && tokens[at]?.level === 1) count += 1;
  return count;
}

function* unclosedCode(tokens: readonly MarkdownToken[], lines: readonly string[]): Iterable<TextSlip> {
  for (const { type, map, markup } of tokens) {
    if (type !== 'fence' || !map) continue;
    const last = lines[map[1] - 1]?.trim() ?? '';
    if (map[1] - map[0] > 1 && last.startsWith(markup)) continue;
    yield { message: `Код открыт и не закрыт. Поставьте после него строку ${markup}.`, line: map[0] + 1 };
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { newKinds } from '../../reading/new-file.ts';
import { korob } from '../../testing/commands.ts';
import { contentFolder } from '../../testing/content.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

describe('new', () => {
  const folder = contentFolder();
  const create = (...args: string[]) => korob(temporaryFolder(), ['new', ...args], { CONTENT_DIR: folder });

  test('writes a file, overwrites none, nor takes the address of an article in another category', async () => {
    const [category = '', another = ''] = readdirSync(join(folder, 'blog'));
    const { stdout } = await create('article', 'Как', 'меряем', '--category', category);
    const file = join(folder, `blog/${category}/kak-meryaem.md`);
    expect(stdout).toBe(`${file}\n`);
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('heading: "Как меряем"');
    for (const one of [category, another]) {
      const { code, stderr } = await create('article', 'Как меряем', '--category', one);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`blog/${category}/kak-meryaem.md уже есть`)]);
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(join(folder, `blog/${another}/kak-meryaem.md`))).toBe(false);
  });

  test.each([
    [[], 'KIND is missing.'],
    [['artcle', 'Кружки'], `Вида «artcle» нет. Есть: ${newKinds.join(', ')}.`],
    [['article', 'Кружки', '--category', 'none'], 'Рубрики «none» нет. Есть: '],
    [['article', '—'], 'Нужен заголовок с буквами'],
    [['article'], 'TITLE is missing.'],
  ])('does not understand %j', async (args, message) => {
    const { code, stderr } = await create(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

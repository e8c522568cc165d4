import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { localTime } from '../../lib/calendar.ts';
import { paths } from '../../lib/paths.ts';
import { wordsOf } from '../../model/content.ts';
import { readAssets } from '../../reading/assets.ts';
import { readFolder } from '../../reading/content-files.ts';
import { jsonSchemaOf } from '../../reading/json-schema.ts';
import { kinds } from '../../reading/kinds.ts';
import { lintContent } from '../../reading/lint.ts';
import { loadContent } from '../../reading/load.ts';
import { newKinds } from '../../reading/new-file.ts';
import { contentReader } from '../../reading/source.ts';
import { sections } from '../../routes.ts';
import { contentFolder, contentWith, ships, valued } from '../../testing/content.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { korob } from './testing.ts';

const titles = {
  article: 'Как мы меряем короба',
  news: 'Ёлки',
  case: 'Пять тысяч кружек',
  service: 'Сборка наборов',
  review: '2027',
  page: 'Оплата и документы',
};
const files = {
  article: /^blog\/[^/]+\/kak-my-meryaem-koroba\.md$/,
  news: /^news\/elki\.md$/,
  case: /^cases\/pyat-tysyach-kruzhek\.md$/,
  service: /^services\/sborka-naborov\.md$/,
  review: /^reviews\/review-2027\.md$/,
  page: /^pages\/oplata-i-dokumenty\.md$/,
};

describe('new', () => {
  // A company that is not the invented one is warned about more.
  const folder = contentFolder(ships ? { 'company.yaml': valued({ demo: false }) } : {});
  const create = (...args: string[]) => korob(temporaryFolder(), ['new', ...args], { CONTENT_DIR: folder });
  const load = () => loadContent(readFolder(folder), readAssets(paths.public), { sections });
  const written = new Map<string, string>();
  beforeAll(async () => {
    for (const kind of newKinds) {
      const { stdout, stderr } = await create(kind, titles[kind]);
      if (!stdout.startsWith(folder)) throw new Error(stderr);
      written.set(kind, stdout.trim().slice(folder.length + 1));
    }
    const video = await create('article', 'Минута у ворот', '--category', 'video-news');
    written.set('video', video.stdout.trim().slice(folder.length + 1));
  });

  test.each(newKinds)('writes a file of the kind "%s" under an address made of the title', (kind) => {
    expect(written.get(kind)).toMatch(files[kind]);
  });

  test.each(newKinds)('explains every field of the kind "%s"', (kind) => {
    const lines = readFileSync(join(folder, written.get(kind) ?? ''), 'utf8').split('\n');
    for (const [key, schema] of Object.entries(jsonSchemaOf(kinds[kind]).properties ?? {})) {
      const at = lines.findIndex((line) => new RegExp(`^(# )?${key}:`).test(line));
      const above = lines.slice(0, at).findLastIndex((line) => !line.startsWith('# ')) + 1;
      const comment = lines.slice(above, at).map((line) => line.slice(2));
      expect(comment.join(' ')).toContain(schema.description);
    }
  });

  test('what it wrote passes the check without a warning', async () => {
    const { code, stdout } = await korob(temporaryFolder(), ['check'], { CONTENT_DIR: folder });
    expect(stdout.split('\n').filter((line) => [...written.values()].some((file) => line.startsWith(file)))).toEqual(
      [],
    );
    expect(code).toBe(0);
  });

  test('each is a draft, a post of today, which the preview shows and visitors do not see', () => {
    const { content, preview } = load();
    const today = localTime(new Date(), content.company.workingHours.timeZone).date;
    const pages = ({ services, articles, news, cases, reviews, ...all }: typeof content) => {
      return [
        ...services,
        ...articles,
        ...news,
        ...cases,
        ...reviews,
        ...all.sections.map((one) => wordsOf(all, one.name)),
      ];
    };
    for (const slug of [...written.values()].map((file) => basename(file, '.md'))) {
      expect(pages(content).some((post) => post.slug === slug)).toBe(false);
      const found = preview && pages(preview).find((post) => post.slug === slug);
      expect(found).toMatchObject({ unpublished: 'draft', ...(found && 'published' in found && { published: today }) });
    }
  });

  test('what it wrote is told of word by word once it is no draft, where nobody has written anything else', () => {
    const told = (file: string, change = (text: string) => text) => {
      const text = readFileSync(join(folder, file), 'utf8').replace(/^draft: true$/m, 'draft: false');
      const files = contentWith({ [file]: () => change(text) });
      const reader = contentReader(files);
      loadContent(files, readAssets(paths.public), { reader, sections });
      const lines = text.split('\n');
      return lintContent(reader.lint(), new Date()).flatMap(({ file: of, line, message, warning }) => {
        const word = of === file && /^Здесь ещё слово образца «(.*)»: впишите своё\.$/.exec(message)?.[1];
        return word ? [[warning, word, lines[line - 1]]] : [];
      });
    };
    for (const kind of newKinds) expect([kind, told(written.get(kind) ?? '').length > 0]).toEqual([kind, true]);
    const service = written.get('service') ?? '';
    const found = told(service);
    expect(found).toContainEqual([true, 'Срок', 'term: Срок']);
    expect(found).toContainEqual([true, 'Что входит', '  - Что входит']);
    expect(found).toContainEqual([true, 'Шаг', '  - title: Шаг']);
    expect(found).toContainEqual([true, 'Подзаголовок', '## Подзаголовок']);
    expect(found).toContainEqual([
      true,
      'Скажите в одной-двух фразах, что найдут на этой странице.',
      expect.anything(),
    ]);
    expect(told(service, (text) => text.replace(/^term: .*$/m, 'term: Срок 3 дня'))).toHaveLength(found.length - 1);
    expect(told(service, (text) => text.replace('draft: false', 'draft: true'))).toEqual([]);
    expect(told(written.get('video') ?? '')).toContainEqual([true, 'https://example.com/', expect.anything()]);
  });

  test('names what else may stand where something of the content stands', () => {
    const text = readFileSync(join(folder, written.get('review') ?? ''), 'utf8');
    const [first, ...others] = load().content.categories.reviews.map(({ slug }) => slug);
    expect(text.replaceAll('\n# ', ' ')).toContain(`Есть ещё: ${others.join(', ')}`);
    expect(text).toContain(`\ncategory: ${first}\n`);
  });

  test('overwrites nothing, nor takes the address of an article in another category', async () => {
    const before = readFileSync(join(folder, written.get('article') ?? ''));
    const [, category] = load().content.categories.blog.map(({ slug }) => slug);
    for (const args of [[], ['--category', category ?? '']]) {
      const { code, stderr } = await create('article', titles.article, ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${written.get('article')} уже есть`)]);
    }
    expect(readFileSync(join(folder, written.get('article') ?? ''))).toEqual(before);
    expect(existsSync(join(folder, `blog/${category}/kak-my-meryaem-koroba.md`))).toBe(false);
  });

  test.each([
    [[], `Скажите вид и заголовок. Виды: ${newKinds.join(', ')}.`],
    [['artcle', 'Кружки'], `Вида «artcle» нет. Есть: ${newKinds.join(', ')}.`],
    [['article', 'Кружки', '--category', 'none'], 'Рубрики «none» нет. Есть: '],
    [['article', '—'], 'Нужен заголовок, а в нём буква или цифра'],
    [['article'], 'Нужен заголовок'],
  ])('does not understand %j', async (args, message) => {
    const { code, stderr } = await create(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

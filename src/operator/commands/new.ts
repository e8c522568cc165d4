import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { paths } from '../../lib/paths.ts';
import { slugOf } from '../../lib/slug.ts';
import { readAssets } from '../../reading/assets.ts';
import { readFolder } from '../../reading/content-files.ts';
import { type NewKind, newFile, newKinds } from '../../reading/new-file.ts';
import { guillemets } from '../../reading/problem.ts';
import { type Command, CommandError, configOf, note, parse, print, UsageError } from './command.ts';

export const newCommand: Command = {
  name: 'new',
  usage: `${newKinds.join('|')} TITLE [--category SLUG]`,
  does:
    'writes a file for editors to begin with, in which every field is explained, as a draft; ' +
    '--category says in which one of the blog an article stands',
  async run(args, io) {
    if (args.length === 0) throw new UsageError(`Скажите вид и заголовок. Виды: ${newKinds.join(', ')}.`);
    const { values, positionals } = parse(args, { category: { type: 'string' } }, ['KIND…']);
    const [kind = '', ...title] = positionals;
    if (!isNewKind(kind)) throw new UsageError(`Вида ${guillemets(kind)} нет. Есть: ${newKinds.join(', ')}.`);
    const heading = title.join(' ').trim();
    if (slugOf(heading) === '')
      throw new UsageError('Нужен заголовок, а в нём буква или цифра: из него получится адрес.');
    const { contentDir } = configOf(io);
    const files = readFolder(contentDir);
    const { loadContent } = await import('../../reading/load.ts');
    const loaded = loadContent(files, readAssets(paths.public));
    const content = loaded.preview ?? loaded.content;
    const categories = content.categories.blog.map(({ slug }) => slug);
    const category = values.category ?? categories[0] ?? '';
    if (!categories.includes(category)) {
      throw new UsageError(`Рубрики ${guillemets(category)} нет. Есть: ${categories.join(', ')}.`);
    }
    const { path, text } = newFile({ kind, heading, category, content, at: new Date() });
    const name = path.slice(path.lastIndexOf('/'));
    const taken = [...files.keys()].find(
      (file) => file === path || (kind === 'article' && file.startsWith('blog/') && file.endsWith(name)),
    );
    if (taken !== undefined) throw new CommandError(`${taken} уже есть. Возьмите другой заголовок.`);
    mkdirSync(dirname(join(contentDir, path)), { recursive: true });
    writeFileSync(join(contentDir, path), text, { flag: 'wx' });
    await print(io, [`${join(contentDir, path)}\n`]);
    const dated = kind === 'service' || kind === 'page' ? '' : ' и проверьте дату выхода';
    note(io, `Это черновик: его видно в npm run dev. Когда будет готов, уберите draft: true${dated}.`);
  },
};

function isNewKind(name: string): name is NewKind {
  return newKinds.some((kind) => kind === name);
}

import { firstLine } from '../clean-drawing.ts';
import { nearestName } from '../nearest-name.ts';
import { logoFile, replacedBy } from '../own-drawings.ts';
import type { Problem, Unfit } from '../problem.ts';
import type { PictureFile } from '../read-pictures.ts';
import type { CheckInput } from './rule.ts';

type Found = Pick<Problem, 'message'> & Partial<Pick<Problem, 'line' | 'warning'>>;

/** The logo and the drawings that replace those of the site. No text names them. */
export function* checkDrawings({ files, pictures, assets }: CheckInput): Iterable<Problem> {
  for (const [file, { bytes }] of files) {
    const path = replacedBy(file);
    const picture = pictures.get(file);
    const ofLogo = picture && /^logo\.\w+$/i.test(file) ? logoProblems(file, bytes(), picture) : [];
    const found = path === undefined || ofLogo.length > 0 ? ofLogo : replacementProblems(path, picture, assets.keys());
    for (const one of found) yield { file, line: 1, field: '', ...one };
  }
}

function replacementProblems(path: string, picture: PictureFile | Unfit | undefined, known: Iterable<string>): Found[] {
  const all = [...known];
  if (all.includes(path)) return picture && 'message' in picture ? [picture] : [];
  const near = nearestName(path, all);
  const remedy = near
    ? `Наверное, это ${near.slice(1)}: переименуйте его.`
    : 'Положите его рядом с текстом, который его называет.';
  return [{ message: `Такого рисунка у сайта нет, заменять нечего. ${remedy}` }];
}

/** Bytes: every page needs it. */
const maxLogoBytes = 20 * 1024;
/** Of the longer side to the shorter one. */
const maxLogoRatio = 1.25;

function logoProblems(file: string, bytes: Buffer, picture: PictureFile | Unfit): Found[] {
  if (file !== logoFile) {
    return [{ message: 'Логотип сайт берёт из файла logo.svg. Сохраните его как SVG под этим именем.' }];
  }
  if ('message' in picture) return [picture];
  const { width, height, drawing = '' } = picture;
  if (drawing.length > maxLogoBytes) {
    return [{ message: 'Логотип больше 20 КБ, а его загружает каждая страница. Упростите его.' }];
  }
  if (!/^<svg\b[^>]* viewBox=/.test(String(drawing))) {
    const message = 'У <svg> нет viewBox, без него логотип не изменит размер. Добавьте, например: viewBox="0 0 32 32".';
    return [{ message, line: firstLine(bytes) }];
  }
  if (Math.max(width, height) <= maxLogoRatio * Math.min(width, height)) return [];
  const message =
    'Логотип стоит в квадрате: в шапке рядом с названием, на вкладке, на телефоне. Оставьте в файле один знак, без слов.';
  return [{ message, warning: true }];
}

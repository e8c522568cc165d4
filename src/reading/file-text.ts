/** Largest file that is read, in bytes: ten times the longest list of prices. */
const heaviest = 1024 * 1024;

/** The text of a file, or why there is none, and where. */
export type FileText = { text: string } | Unreadable;
export type Unreadable = { line: number; message: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });
const remedy = 'Откройте его в редакторе и сохраните в кодировке UTF-8.';

/** Text without a mark of byte order, its lines ending alike: programs of Windows write both, and nobody sees them. */
export function fileText(bytes: Buffer): FileText {
  if (bytes.length > heaviest) {
    const size = Math.ceil(bytes.length / 1024).toLocaleString('ru');
    const remedy = 'Разделите его или проверьте, тот ли это файл.';
    return { line: 1, message: `Файл слишком велик: ${size} КБ, а можно 1 024. ${remedy}` };
  }
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return { line: 1, message: `Файл сохранён в кодировке UTF-16. ${remedy}` };
  let text: string;
  try {
    text = utf8.decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    return foreign(bytes);
  }
  const control = /[^\P{Cc}\n\t]/u.exec(text);
  if (control === null) return { text };
  const line = text.slice(0, control.index).split('\n').length;
  return { line, message: 'В строке есть невидимый служебный знак. Сотрите строку и наберите её заново.' };
}

/** Bytes that are no UTF-8: nearly always a program of Windows wrote them in its own encoding. */
function foreign(bytes: Buffer): FileText {
  const letters = new TextDecoder('windows-1251').decode(bytes).match(/[^\0-\x7F]/g) ?? [];
  const russian = letters.filter((letter) => /[а-яё«»–—№]/i.test(letter)).length;
  if (russian >= 0.9 * letters.length) {
    return { line: 1, message: `Файл сохранён в кодировке Windows-1251. ${remedy}` };
  }
  const lossy = bytes.toString();
  const line = lossy.slice(0, lossy.indexOf('\uFFFD')).split('\n').length;
  return { line, message: 'Здесь знаки не из UTF-8: файл испорчен или оборван. Наберите строку заново.' };
}

/** By the ending of a name: why the site does not read such a file, and what to do. In Russian. */
const reasons: readonly [RegExp, string][] = [
  [
    /\.hei[cf]$/i,
    'Снимки HEIC сайт не читает. iPhone: «Поделиться» → «Параметры» → «Наиболее совместимый» → «Сохранить в Файлы», ' +
      'а чтобы новые сразу были JPEG, «Настройки» → «Камера» → «Форматы». На компьютере откройте снимок и сохраните как JPEG.',
  ],
  [/\.(jfif|jpe)$/i, 'Это JPEG под другим именем. Переименуйте файл: его имя должно кончаться на .jpg.'],
  [
    /\.(tiff?|bmp|ico|psd|dng|raw|cr[23]|nef|arw|jxl|jp2)$/i,
    'Картинок в таком формате сайт не читает. Откройте её и сохраните как JPEG или PNG.',
  ],
  [
    /\.(svgz|ai|eps|cdr|fig|sketch|[ew]mf)$/i,
    'Сайт не читает файлов программ, в которых рисуют. Экспортируйте рисунок как SVG.',
  ],
  [
    /\.(mov|m4v|webm|avi|mkv|3gp|wmv|mpe?g|mts)$/i,
    'Видео сайт берёт только в MP4 (H.264): другие форматы играют не на каждом телефоне. Сохраните его так, например в CapCut или HandBrake.',
  ],
  [
    /\.(xls[xmb]?|ods|numbers)$/i,
    'Книг Excel и LibreOffice сайт не читает. Сохраните цены как CSV под именем prices.csv, а этот файл уберите.',
  ],
  [
    /\.(pdf|docx?|pptx?|odt|rtf|csv|zip|rar|7z|mp3|m4a|wav|ogg)$/i,
    'Файлов, которые скачивают или слушают, сайт пока не отдаёт. Перенесите содержание в текст или выложите файл в другом месте и сошлитесь на него, а этот уберите.',
  ],
];

export function unreadReason(name: string): string | undefined {
  return reasons.find(([ending]) => ending.test(name))?.[1];
}

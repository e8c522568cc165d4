import * as z from 'zod';
import { marked, own } from './field-marks.ts';

const withDomain = /^(?:https?:)?(?:\/\/)?[^\s/?#.]+(?:\.[^\s/?#.]+)+(\/[^\s#]*)/;

/** On the old site: may have a suffix, a query, Russian letters, or be a folder. */
const oldAddress = z
  .string()
  .regex(/^\/(?!\/)[^\s?#*]*(\/\*|\?[^\s#*]+)?$/, {
    error({ input }) {
      const [, path] = withDomain.exec(String(input)) ?? [];
      return `Нужен прежний адрес без домена${path ? `: ${path}` : ', например /price.html, /index.php?id=5 или /catalog/*'}`;
    },
  })
  .transform((from, { addIssue }) => {
    const [path = '', query] = from.split('?');
    try {
      const plain = decodeURIComponent(path)
        .toLowerCase()
        .replace(/(.)\/$/, '$1');
      return query === undefined ? plain : `${plain}?${query}`;
    } catch {
      addIssue('За одним из знаков % стоят не те цифры. Скопируйте адрес заново');
      return z.NEVER;
    }
  });

/** A merged page may have become a part of another one. */
const newAddress = z
  .string()
  .regex(
    /^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?(#[^\s#]+)?$/,
    'Нужен адрес на этом сайте, например /services/photo или /rates#fbo',
  );

/** An empty file is an empty table. */
export const redirectsSchema = z.preprocess(
  (rows) => rows ?? [],
  z.array(
    z.strictObject({
      from: own(oldAddress).describe('Старый адрес. Без домена: /price.html, /index.php?id=5, /catalog/*'),
      to: marked(newAddress, { leads: true }).describe('Новый адрес. Страница этого сайта или её часть: /rates#fbo'),
    }),
  ),
);

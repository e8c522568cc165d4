import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { displayCharacters } from '../../scripts/display-face.ts';
import { filesBelow } from '../lib/files.ts';
import { paths } from '../lib/paths.ts';
import { readCode } from '../site/compiled-code.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { shownSite, textAt } from '../tests/support/test-site.ts';
import { ErrorSummary } from './forms/error-summary.tsx';
import { InputField, NumberField, RadioField, SelectField, TextareaField } from './forms/form-field.tsx';
import { HeroPicture } from './hero-picture.tsx';
import { NavigationLink } from './layout/navigation-link.tsx';
import { Picture } from './picture.tsx';

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

describe('the display face', () => {
  const css = readFileSync(join(import.meta.dirname, 'display.css'), 'utf8');
  const [, set = ''] = /\}([^{}]+)\{\s*font-family: var\(--display\)/.exec(css) ?? [];

  test('the display face contains every character of every heading and large figure', async () => {
    const site = await shownSite();
    const foreign = site.paths.flatMap((path) =>
      all(parseHtml(textAt(site, path)), set).flatMap((heading) => {
        const missing = [...textOf(heading)].filter((character) => !displayCharacters.includes(character));
        return missing.length > 0 ? [`${path}: ${missing.join('')} in ${textOf(heading)}`] : [];
      }),
    );
    expect(foreign).toEqual([]);
  });
});

describe('drawings', () => {
  const palette = ['paper', 'sheet', 'kraft-pale', 'kraft', 'carton', 'carton-dark', 'line', 'ink', 'ink-soft'].map(
    (name) => new RegExp(`--${name}: (#[\\da-f]{6});`).exec(tokens)?.[1],
  );
  const src = join(import.meta.dirname, '..');
  const written = ['components', 'pages', '../public/images'].flatMap((folder) => filesBelow(join(src, folder)));
  const drawings = written.filter((file) => file.endsWith('.svg'));

  test('are SVG files, or take their colours from style sheets', () => {
    const components = written.filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'));
    expect(components.length).toBeGreaterThan(50);
    expect(components.filter((file) => /"#[\da-f]{3,8}"/i.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  describe.each(drawings.map((file) => [relative(src, file), file] as const))('%s', (_path, file) => {
    const source = readFileSync(file, 'utf8');

    test('uses only paper, carton and ink, because green marks controls', () => {
      const colours = [...source.matchAll(/#[\da-f]{3,8}(?=")/gi)].map(([colour]) => colour);
      expect(colours.filter((colour) => !palette.includes(colour))).toEqual([]);
    });

    test('contains no script, external resource or font', () => {
      expect(source).not.toMatch(/<(text|style|image|script|filter)| style=/);
      expect(source.length).toBeLessThanOrEqual(10_000);
    });
  });
});

test('the picture of the first screen loads eagerly, and all other pictures load lazily', () => {
  const picture = { src: '/pictures/a.svg', alt: 'Паллета', width: 1600, height: 860 };
  const loading = (element: ReactNode) => one(parseHtml(renderToStaticMarkup(element)), 'img').attrs.loading;
  expect(loading(<HeroPicture picture={picture} />)).toBe('eager');
  expect(loading(<Picture picture={picture} />)).toBe('lazy');
});

test('the session replay records neither what visitors type into a form nor its keys', () => {
  const field = { field: 'name', label: 'Имя', error: undefined, value: '', required: true };
  const input = <InputField {...field} type="text" autoComplete="name" />;
  for (const element of [input, <TextareaField key="text" {...field} rows={3} />]) {
    const [shown] = all(parseHtml(renderToStaticMarkup(element)), 'input, textarea');
    expect(shown?.attrs.class?.split(' ').sort()).toEqual(['ym-disable-keys', 'ym-hide-content']);
  }
});

test('a field is described by its hint and then its error, and is invalid only with an error', () => {
  const field = { field: 'units', label: 'Количество', value: '', options: [{ id: 'a', text: 'А' }] };
  const described = (more: { hint?: string; error: string | undefined }) =>
    [NumberField, SelectField, RadioField].map((Field) => {
      const document = parseHtml(renderToStaticMarkup(<Field {...field} {...more} />));
      const [control] = all(document, 'fieldset, input, select');
      const ids = control?.attrs['aria-describedby']?.split(' ') ?? [];
      const invalid = 'aria-invalid' in (control?.attrs ?? {}) || all(document, '.field-invalid').length > 0;
      return [ids.map((id) => textOf(one(document, `#${id}`))).join(' | '), invalid];
    });
  expect(described({ hint: 'Целое', error: undefined })).toEqual(Array(3).fill(['Целое', false]));
  expect(described({ hint: 'Целое', error: 'Пусто' })).toEqual(Array(3).fill(['Целое | Ошибка: Пусто', true]));
});

test('a summary of errors links to the fields that are shown, and to no other', () => {
  const errors = [
    { field: 'phone', message: 'Укажите телефон' },
    { field: 'key', message: 'Обновите форму' },
  ];
  const summary = (shown: typeof errors) =>
    parseHtml(renderToStaticMarkup(<ErrorSummary errors={shown} fields={['name', 'phone']} />));
  expect(all(summary(errors), 'li').map(textOf)).toEqual(['Укажите телефон', 'Обновите форму']);
  expect(all(summary(errors), 'a').map(({ attrs }) => attrs.href)).toEqual(['#field-phone']);
  expect(all(summary([]), '[role="alert"]')).toEqual([]);
});

test('the current page is plain text in the navigation', () => {
  const shown = (to: string, path: string | undefined) => {
    const document = parseHtml(renderToStaticMarkup(<NavigationLink to={to} text="Раздел" path={path} />));
    return [all(document, 'a').length, all(document, '[aria-current="page"]').length];
  };
  expect(shown('/rates', '/rates')).toEqual([0, 1]);
  expect(shown('/rates', '/rates/calc')).toEqual([1, 0]);
  expect(shown('/rates', undefined)).toEqual([1, 0]);
});

test('no script uses a token, because plain tokens are replaced in styles', () => {
  for (const { path, text } of readCode(paths.code).scripts)
    expect([path, /var\(--/.test(text)]).toEqual([path, false]);
});

test('controls have one green, which has enough contrast with white and every tone of paper', () => {
  expect([...tokens.matchAll(/--(\w[\w-]*): #([\da-f]{6})/g)].filter(([, , hex = '']) => isGreen(hex))).toHaveLength(2);
  const value = (name: string) => new RegExp(`--${name}: #([\\da-f]{6})`).exec(tokens)?.[1] ?? '';
  const papers = ['paper', 'sheet', 'kraft-pale', 'kraft'].map(value);
  for (const paper of ['ffffff', ...papers]) expect(contrast(paper, value('accent'))).toBeGreaterThanOrEqual(4.5);
});

const channels = (hex: string) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

function isGreen(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = channels(hex);
  return green > 1.2 * Math.max(red, blue);
}

/** The contrast ratio of WCAG 2.2; the lighter colour comes first. */
function contrast(lighter: string, darker: string): number {
  const [light = 0, dark = 0] = [lighter, darker].map((hex) => {
    const [red = 0, green = 0, blue = 0] = channels(hex).map((one) =>
      one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (light + 0.05) / (dark + 0.05);
}

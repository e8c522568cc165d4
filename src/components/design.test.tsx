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
import { testIf } from '../tests/support/test-if.ts';
import { shownSite, textAt } from '../tests/support/test-site.ts';
import { ErrorSummary } from './forms/error-summary.tsx';
import { InputField, NumberField, RadioField, SelectField, TextareaField } from './forms/form-field.tsx';
import { HeroPicture } from './hero-picture.tsx';
import { NavigationLink } from './layout/navigation-link.tsx';
import { Pagination } from './pagination.tsx';
import { Picture } from './picture.tsx';
import { ContentsList } from './prose/contents-list.tsx';
import { tone } from './tone.ts';

const shippedTest = testIf({ shipped: true });

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

describe('the display face', () => {
  const css = readFileSync(join(import.meta.dirname, 'display.css'), 'utf8');
  const [, set = ''] = /\}([^{}]+)\{\s*font-family: var\(--display\)/.exec(css) ?? [];

  shippedTest('every selector of the display face matches an element on some page', async () => {
    const site = await shownSite();
    const pages = site.paths.map((path) => parseHtml(textAt(site, path)));
    // Only the text of a page uses `h4`, and no page has one yet.
    const selectors = set
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) => selector !== 'h4');
    expect(selectors).toContain('h1');
    expect(selectors.filter((selector) => !pages.some((page) => page.querySelector(selector)))).toEqual([]);
  });

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

  test('the display face has a hashed, immutable address and does not block rendering', async () => {
    const site = await shownSite();
    const page = textAt(site, '/');
    const face = /@font-face\{[^}]*\}/.exec(page)?.[0] ?? '';
    expect(face).toContain('font-display:swap');
    const path = /url\("?([^)"]+)"?\)/.exec(face)?.[1] ?? '';
    expect(path).toMatch(/^\/fonts\/golos-text-700\.[\da-f]{10}\.woff2$/);
    expect(site.find(path)?.answer('identity', false).headers).toEqual(
      expect.arrayContaining(['font/woff2', 'public, max-age=31536000, immutable']),
    );
    expect(page).not.toContain('as="font"');
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

test('an input field renders its autocomplete token', () => {
  const field = { field: 'phone', label: 'Телефон', error: undefined, value: '', required: true };
  const html = renderToStaticMarkup(<InputField {...field} type="tel" autoComplete="tel" />);
  expect(one(parseHtml(html), 'input').attrs.autocomplete).toBe('tel');
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
  const field = { field: 'units', label: 'Количество', value: '' };
  const choices = { ...field, options: [{ id: 'a', text: 'А' }] };
  const typed = { ...field, type: 'text', autoComplete: 'off', required: false, rows: 2 } as const;
  const fields = (more: { hint?: string; error: string | undefined }) => [
    <NumberField key="number" {...field} {...more} />,
    <InputField key="input" {...typed} {...more} />,
    <TextareaField key="text" {...typed} {...more} />,
    <SelectField key="select" {...choices} {...more} />,
    <RadioField key="radio" {...choices} {...more} />,
  ];
  const described = (more: { hint?: string; error: string | undefined }) =>
    fields(more).map((element) => {
      const document = parseHtml(renderToStaticMarkup(element));
      const [control] = all(document, 'fieldset, input, textarea, select');
      const ids = control?.attrs['aria-describedby']?.split(' ') ?? [];
      const invalid = 'aria-invalid' in (control?.attrs ?? {}) || all(document, '.field-invalid').length > 0;
      return [ids.map((id) => textOf(one(document, `#${id}`))).join(' | '), invalid];
    });
  expect(described({ error: undefined })).toEqual(Array(5).fill(['', false]));
  expect(described({ hint: 'Целое', error: undefined })).toEqual(Array(5).fill(['Целое', false]));
  expect(described({ hint: 'Целое', error: 'Пусто' })).toEqual(Array(5).fill(['Целое | Ошибка: Пусто', true]));
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

test('a list of contents appears from five headings on', () => {
  const shown = (count: number) => {
    const headings = Array.from({ length: count }, (_, n) => ({ id: `h${n}`, text: `Раздел ${n}` }));
    const document = parseHtml(renderToStaticMarkup(<ContentsList headings={headings} label="Содержание" />));
    return all(document, 'a').map(({ attrs }) => attrs.href);
  };
  expect(shown(4)).toEqual([]);
  expect(shown(5)).toEqual(['#h0', '#h1', '#h2', '#h3', '#h4']);
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

test('the pages of a list are linked with their neighbours, and one page needs no links', () => {
  const links = (page: number, pages: number) =>
    all(parseHtml(renderToStaticMarkup(<Pagination path="/cases" page={page} pages={pages} />)), 'a').map(
      ({ attrs }) => `${attrs.rel ?? ''} ${attrs.href}`,
    );
  expect(links(1, 1)).toEqual([]);
  expect(links(1, 2)).toEqual([' /cases?page=2', 'next /cases?page=2']);
  expect(links(2, 2)).toEqual(['prev /cases', ' /cases']);
  expect(links(2, 3)).toEqual(['prev /cases', ' /cases', ' /cases?page=3', 'next /cases?page=3']);
});

test('no script uses a token, because plain tokens are replaced in styles', () => {
  for (const { path, text } of readCode(paths.code).scripts)
    expect([path, /var\(--/.test(text)]).toEqual([path, false]);
});

test('tones in code equal those in the style sheets', () => {
  for (const [name, value] of Object.entries(tone)) expect(tokens).toContain(`--${name}: ${value};`);
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

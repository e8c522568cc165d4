import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createElement } from 'react';
import { heroSizes } from '../design/hero-picture.tsx';
import { jsonForHtml } from '../lib/json.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { shownSite } from '../testing/test-site.ts';
import { documentRenderer, layoutData } from './document.tsx';
import type { View } from './page.ts';
import { securityHeaders, styleSource } from './security-headers.ts';
import { wideMedia } from './wide-media.ts';

const content = (await shownSite()).content;
const { render } = documentRenderer({
  layout: layoutData(content, { siteUrl: 'https://korob.example', script: '/assets/site.js' }),
  styles: { pages: { test: 'p{color:red}', other: 'p{color:green}' }, wide: { path: '/styles/wide.css', text: '' } },
  sharePicture: (path) => (path === '/rates' ? '/share/rates.png' : '/share/site.png'),
});

function view(head: Partial<View['head']> = {}, name = 'test'): View {
  return {
    page: { name },
    head: {
      path: '/rates',
      title: 'Тарифы',
      description: 'Все цены',
      crumbs: [{ path: '/rates', text: 'Тарифы' }],
      ...head,
    },
    body: createElement('h1', null, 'Тарифы'),
    data: null,
  };
}

describe('a document', () => {
  test('names the company in its title, once', () => {
    const { name } = content.company;
    const title = (given: string) => textOf(one(parseHtml(render(view({ title: given })).html), 'title'));
    for (const given of ['Тарифы на фулфилмент', `${name}а и паллеты`]) expect(title(given)).toBe(`${given} | ${name}`);
    for (const given of [`${name}: тарифы`, `Склад «${name}а»`]) expect(title(given)).toBe(given);
  });

  test('is the same bytes each time', () => {
    expect(render(view())).toEqual(render(view()));
  });

  test('holds the styles of its page, and a policy that allows these and no other', () => {
    const [first, second] = [render(view()), render(view({}, 'other'))];
    expect(one(parseHtml(first.html), 'style').text).toBe('p{color:red}');
    expect(first.headers['content-security-policy']).toContain(`style-src 'self' ${styleSource('p{color:red}')}`);
    expect(second.headers['content-security-policy']).toContain(`style-src 'self' ${styleSource('p{color:green}')}`);
    expect(first.headers['content-security-policy']).not.toContain(styleSource('p{color:green}'));
  });

  test('names what wide windows and paper need besides, which a phone need not wait for', () => {
    const sheet = one(parseHtml(render(view()).html), 'link[rel="stylesheet"]');
    expect(sheet.attrs).toMatchObject({ href: '/styles/wide.css', media: wideMedia });
  });

  test('is typeset whoever wrote its words', () => {
    const body = createElement('p', null, 'Перезвоним в течение 1–2 ч');
    expect(render({ ...view(), body }).html).toContain('<p>Перезвоним в\u00A0течение 1–\u20602\u00A0ч</p>');
  });

  test('asks browsers that darken pages to leave it as it is drawn', () => {
    const scheme = one(parseHtml(render(view()).html), 'meta[name="color-scheme"]');
    expect(scheme.attrs.content).toBe('only light');
  });

  test('of a page without styles is refused with what to do', () => {
    expect(() => render(view({}, 'nothing'))).toThrow(
      'The page "nothing" has no stylesheet; its file must have its name.',
    );
  });

  test('that is kept out of search engines has no canonical address', () => {
    const document = parseHtml(render(view({ noindex: true })).html);
    expect(all(document, 'link[rel="canonical"]')).toEqual([]);
    expect(one(document, 'meta[name="robots"]').attrs.content).toBe('noindex');
  });

  test('is shared as an article only where it is one', () => {
    const type = (about: View['head']['about']) =>
      one(parseHtml(render(view({ about })).html), 'meta[property="og:type"]').attrs.content;
    expect([type(content.news[0]), type('company'), type(undefined)]).toEqual(['article', 'website', 'website']);
  });

  test('shows the picture of its page when it is shared, or else the general one', () => {
    const image = (path: string) =>
      one(parseHtml(render(view({ path })).html), 'meta[property="og:image"]').attrs.content;
    expect([image('/rates?page=2'), image('/other')]).toEqual([
      'https://korob.example/share/rates.png',
      'https://korob.example/share/site.png',
    ]);
  });

  test('has the picture of its first screen fetched at once, in the width that it is shown in', () => {
    const preloads = (head: Partial<View['head']>) =>
      all(parseHtml(render(view(head)).html), 'link[rel="preload"]').map(({ attrs }) => attrs);
    const picture = { alt: 'Паллета', width: 1600, height: 860, src: '/pictures/a-672.webp' };
    const srcset = { avif: '/pictures/a-336.avif 336w, /pictures/a-672.avif 672w', webp: '' };
    expect(preloads({})).toEqual([]);
    expect(preloads({ hero: { ...picture, srcset } })).toEqual([
      {
        rel: 'preload',
        as: 'image',
        type: 'image/avif',
        imagesrcset: srcset.avif,
        imagesizes: heroSizes,
        fetchpriority: 'high',
      },
    ]);
    expect(preloads({ hero: { ...picture, src: '/pictures/a.svg' } })).toEqual([
      { rel: 'preload', as: 'image', href: '/pictures/a.svg', fetchpriority: 'high' },
    ]);
  });

  test('stays a document, whatever words it is given', () => {
    const [post] = content.news;
    const words = fc.string({ unit: fc.constantFrom(...'<>"\'&/= -!ab{}%я\u2028') });
    fc.assert(
      fc.property(words, words, words, (title, description, text) => {
        const { html } = render(
          view({ title, description, crumbs: [], path: `/rates?a=${text}`, about: post && { ...post, heading: text } }),
        );
        const document = parseHtml(html);
        expect(one(document, 'title').text).toContain(title);
        expect(one(document, 'meta[name="description"]').attrs.content).toBe(description);
        const [script, ...more] = all(document, 'script[type="application/ld+json"]');
        expect(more).toEqual([]);
        expect(JSON.parse(script?.rawText ?? '')['@graph'][0].headline).toBe(text);
      }),
    );
  });
});

describe('JSON inside HTML', () => {
  test('holds nothing that could end its element', () => {
    const hostile = '</script><!--<script>&\u2028\u2029';
    expect(jsonForHtml({ [hostile]: hostile })).not.toMatch(/[<>&\u2028\u2029]/);
  });

  test('is the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(JSON.parse(jsonForHtml(value)))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('the protecting headers', () => {
  test('allow nothing that is not named', () => {
    expect(securityHeaders('http://localhost:3000')['content-security-policy']).toBe(
      "default-src 'none';base-uri 'none';connect-src 'self';font-src 'self';form-action 'self';" +
        "frame-ancestors 'none';frame-src 'none';img-src 'self';manifest-src 'self';media-src 'self';" +
        "script-src 'self';style-src 'none'",
    );
  });

  test('ask for https for two years where the site has it, and only there', () => {
    const name = 'strict-transport-security';
    expect(securityHeaders('https://korob.example')[name]).toBe('max-age=63072000; includeSubDomains');
    expect(securityHeaders('http://korob.example')).not.toHaveProperty(name);
  });
});

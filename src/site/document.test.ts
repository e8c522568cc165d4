import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import helmet from 'helmet';
import { createElement } from 'react';
import { heroSizes } from '../components/hero-picture.tsx';
import { definePage, type PageView } from '../pages/page.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { shownSite } from '../tests/support/test-site.ts';
import { documentRenderer, layoutData } from './document.tsx';
import { fileHeaders, securityHeaders } from './security-headers.ts';
import { speculationRules } from './speculation-rules.ts';
import { templates } from './templates.ts';

const { content } = await shownSite();
const inMoscow = { ...content.company.workingHours, timeZone: 'Europe/Moscow' };
const { render } = documentRenderer({
  layout: layoutData(content, { siteUrl: 'https://korob.example', script: '/assets/site.js' }),
  styles: { test: 'p{color:red}' },
  sharePicture: () => '/share/site.png',
});

function view(head: Partial<PageView['head']> = {}, name = 'test'): PageView {
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
  test('has the name of the company once in its title', () => {
    const { name } = content.company;
    const title = (given: string) => textOf(one(parseHtml(render(view({ title: given })).html), 'title'));
    for (const given of ['Тарифы на фулфилмент', `${name}а и паллеты`]) expect(title(given)).toBe(`${given} | ${name}`);
    for (const given of [`${name}: тарифы`, `Склад «${name}а»`]) expect(title(given)).toBe(given);
  });

  test('is typeset, including the words of components', () => {
    const body = createElement('p', null, 'Перезвоним в течение 1–2 ч');
    expect(render({ ...view(), body }).html).toContain('<p>Перезвоним в\u00A0течение 1–\u20602\u00A0ч</p>');
  });

  test('is refused with advice when its page has no styles', () => {
    expect(() => render(view({}, 'nothing'))).toThrow('its file must have its name');
  });

  test('preloads the picture of its first screen in the displayed width', () => {
    const preloads = (head: Partial<PageView['head']>) =>
      all(parseHtml(render(view(head)).html), 'link[rel="preload"]').map(({ attrs }) => attrs);
    const picture = { alt: 'Паллета', width: 1600, height: 860, src: '/pictures/a-672.webp' };
    const srcset = { avif: '/pictures/a-336.avif 336w, /pictures/a-672.avif 672w', webp: '' };
    expect(preloads({})).toEqual([]);
    expect(preloads({ hero: { ...picture, srcset } })).toMatchObject([
      { as: 'image', type: 'image/avif', imagesrcset: srcset.avif, imagesizes: heroSizes, fetchpriority: 'high' },
    ]);
    expect(preloads({ hero: { ...picture, src: '/pictures/a.svg' } })).toMatchObject([{ href: '/pictures/a.svg' }]);
  });

  test('stays valid HTML with any words', () => {
    const [post] = content.news;
    const units = [...'<>"\'&/= -!ab{}%я\u2028', '</script>', '</title>', '<!--<script>'];
    const words = fc.string({ unit: fc.constantFrom(...units) });
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
      { numRuns: 50 },
    );
  });
});

describe('the security headers', () => {
  test('allow only what they name', () => {
    expect(securityHeaders('http://localhost:3000', { css: '' })).toEqual({
      'content-security-policy':
        "default-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';object-src 'none';" +
        `script-src 'self' 'sha256-${createHash('sha256').update(speculationRules).digest('base64')}';` +
        "style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\)/),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(securityHeaders('http://localhost:3000')['content-security-policy']).toMatch(/;style-src 'none'$/);
    expect(fileHeaders('http://localhost:3000')).toMatchObject({
      'Content-Security-Policy': expect.stringMatching(/^default-src 'none';/),
      'X-Content-Type-Options': 'nosniff',
    });
  });

  test('are those of helmet by default, except headers for browsers that are not supported', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    helmet()(response.req, response, () => {});
    const missing = response.getHeaderNames().filter((name) => !(name in securityHeaders('https://korob.example')));
    expect(missing).toEqual([
      'origin-agent-cluster',
      'x-dns-prefetch-control',
      'x-download-options',
      'x-permitted-cross-domain-policies',
      'x-xss-protection',
    ]);
  });

  test('include HSTS for two years when the site uses https', () => {
    const age = 'max-age=63072000; includeSubDomains';
    const headers = securityHeaders('https://korob.example');
    expect(headers['strict-transport-security']).toBe(age);
    expect(fileHeaders('https://korob.example')).toHaveProperty('Strict-Transport-Security', age);
  });
});

test('the modification date of a page is its newest date that has come, in the time zone of the company', () => {
  const page = definePage({
    name: 'test',
    path: '/test',
    props: () => ({ dates: ['2026-11-02', '2026-12-01', undefined, '2026-11-01'] }),
    head: () => ({ path: '/test', title: '', description: '', crumbs: [] }),
    dates: ({ dates }) => dates,
    Body: () => createElement('p'),
  });
  const modified = (at: string) =>
    page.open({ ...content, at, company: { ...content.company, workingHours: inMoscow } }, {}, {})?.modified;
  expect(modified('2026-11-30T20:59:59Z')).toBe('2026-11-02');
  expect(modified('2026-11-30T21:00:00Z')).toBe('2026-12-01');
  expect(modified('2026-10-01T00:00:00Z')).toBeUndefined();
});

test('a template fails without one of its variables, and escapes HTML', () => {
  const phone = { number: '+7', text: '+7' };
  expect(() => templates.plainError({ status: 404, phone })).toThrow(/undefined/);
  expect(templates.plainError({ status: 404, text: '<b>', phone })).toContain('&lt;b&gt;');
  expect(templates.botError({ status: 404, message: '<b>' })).toContain('<b>');
});

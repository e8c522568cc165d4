import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createElement } from 'react';
import { columnSizes } from '../components/picture.tsx';
import { formatPrice } from '../lib/format.ts';
import type { Service } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { typeset } from '../model/typography.ts';
import type { PageFacts, PageView } from '../pages/page.ts';
import { mainPrices } from '../pricing/main-prices.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { plainService } from '../tests/support/sample-pages.ts';
import { shownSite } from '../tests/support/test-site.ts';
import { documentRenderer, integrationsOn, layoutData } from './document.tsx';
import { fileHeaders, pageHeaders } from './security-headers.ts';
import { speculationRules } from './speculation-rules.ts';
import { templates } from './templates.ts';

const { content } = await shownSite();
const plain = content.services.find(({ to }) => to === plainService) as Service;
const render = documentRenderer({
  layout: layoutData(content, { siteUrl: 'https://korob.example', has: () => true, script: '/assets/site.js' }),
  styles: { test: [{ text: 'p{color:red}' }] },
  sharePicture: (path) => `/share${path}.png`,
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

  test('names the price of each service in both menus, as an ordinary order pays it', () => {
    const document = parseHtml(render(view()).html);
    const group = content.rates.groups.find(({ id }) => id === plain.rates[0]);
    const [main] = group ? mainPrices(content.rates, group) : [];
    for (const menu of ['.bar', '.burger'])
      expect(textOf(one(document, `${menu} a[href="${plain.to}"] small`))).toBe(
        textOf(`${formatPrice(main?.price ?? 0)}/\u2060${main?.unit}`),
      );
    expect(all(document, '.bar a[href="/about"] small')).toEqual([]);
  });

  test('preloads the picture of its first screen in the displayed width', () => {
    const preloads = (head: Partial<PageView['head']>) =>
      all(parseHtml(render(view(head)).html), 'link[rel="preload"]').map(({ attrs }) => attrs);
    const picture = { alt: 'Паллета', width: 1600, height: 860, src: '/pictures/a-672.webp' };
    const srcset = { avif: '/pictures/a-336.avif 336w, /pictures/a-672.avif 672w', webp: '' };
    expect(preloads({})).toEqual([]);
    expect(preloads({ hero: { ...picture, srcset } })).toMatchObject([
      { as: 'image', type: 'image/avif', imagesrcset: srcset.avif, imagesizes: columnSizes, fetchpriority: 'high' },
    ]);
  });

  test('stays valid HTML with any words', () => {
    const [post] = content.news;
    const units = [...'<>"\'&/= -!ab{}%я\u2028', '</script>', '</title>', '<!--<script>'];
    const words = fc.string({ unit: fc.constantFrom(...units) });
    fc.assert(
      fc.property(words, words, words, (title, description, text) => {
        const { html } = render(
          view({
            title,
            description,
            crumbs: [],
            path: `/rates?a=${text}`,
            subject: post && { ...post, heading: text },
          }),
        );
        const document = parseHtml(html);
        expect(one(document, 'title').text).toContain(typeset(title));
        expect(one(document, 'meta[name="description"]').attrs.content).toBe(typeset(description));
        const [script, ...more] = all(document, 'script[type="application/ld+json"]');
        expect(more).toEqual([]);
        expect(JSON.parse(script?.rawText ?? '')['@graph'][0].headline).toBe(text.includes(' ') ? typeset(text) : text);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the security headers', () => {
  test('allow only what they name', () => {
    expect(pageHeaders('http://localhost:3000', { css: '' })).toEqual({
      'content-security-policy':
        "default-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';object-src 'none';" +
        `script-src 'self' 'sha256-${createHash('sha256').update(speculationRules).digest('base64')}';` +
        "style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(),microphone=(),geolocation=(),payment=(),usb=()',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(pageHeaders('http://localhost:3000')['content-security-policy']).toMatch(/;style-src 'none'$/);
    expect(fileHeaders('http://localhost:3000')).toEqual({
      'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  const policyWith = (integrations: Integrations) => {
    const policy = pageHeaders('https://korob.example', { css: '', integrations })['content-security-policy'] ?? '';
    const directives = policy.replaceAll(/ 'sha256-[^']*'/g, '').split(';');
    return Object.fromEntries(directives.map((one) => one.split(/ (.*)/s)));
  };
  const general = {
    ...{ 'default-src': "'self'", 'script-src': "'self'", 'base-uri': "'none'", 'form-action': "'self'" },
    ...{ 'frame-ancestors': "'none'", 'object-src': "'none'", 'style-src': undefined },
  };
  const metrika = `mc.yandex.${'ru az by co.il com com.am com.ge com.tr ee fr kg kz lt lv md tj tm uz'.split(' ').join(' mc.yandex.')}`;
  const maps = 'api-maps.yandex.ru *.api-maps.yandex.ru yastatic.net';

  test.each<[string, Integrations, Record<string, string | undefined>]>([
    ['nothing', {}, {}],
    [
      'the counter',
      { metrikaId: '1' },
      {
        'default-src': `'self' ${metrika} mc.webvisor.com mc.webvisor.org wss://mc.yandex.ru wss://mc.yandex.com blob:`,
        'script-src': "'self' mc.yandex.ru yastatic.net",
        'frame-ancestors':
          '*.yandex.ru *.yandex.by *.yandex.kz *.yandex.uz *.yandex.com *.yandex.com.tr webvisor.com *.webvisor.com',
      },
    ],
    [
      'the map',
      { mapsApiKey: 'a' },
      {
        'default-src': `'self' ${maps} *.maps.yandex.net data:`,
        'script-src': `'self' ${maps} 'unsafe-eval'`,
        'style-src': maps,
        'worker-src': `blob: data: ${maps}`,
      },
    ],
    [
      'the challenge',
      { turnstileSiteKey: 'a' },
      { 'default-src': "'self' challenges.cloudflare.com", 'script-src': "'self' challenges.cloudflare.com" },
    ],
    [
      'players on other hosts',
      { videoHosts: ['rutube.ru', '*.okcdn.ru', 'korob.example'] },
      { 'default-src': "'self' rutube.ru *.okcdn.ru" },
    ],
  ])('allow third parties what they need and no more: %s', (_, integrations, allowed) => {
    expect(policyWith(integrations)).toEqual({ ...general, ...allowed });
  });

  test.each<[PageFacts, Integrations]>([
    [{ name: 'a' }, { metrikaId: '1' }],
    [
      { name: 'a', mapped: true },
      { metrikaId: '1', mapsApiKey: 'b' },
    ],
    [{ name: 'a', uncounted: true }, {}],
    [{ name: 'a', mapped: true, uncounted: true }, { mapsApiKey: 'b' }],
  ])('of the page %j allow the counter and the map %j', (page, allowed) => {
    const others = { turnstileSiteKey: 'c', videoHosts: ['rutube.ru'] };
    expect(integrationsOn(page, { metrikaId: '1', mapsApiKey: 'b', ...others })).toEqual({ ...others, ...allowed });
  });

  test('include HSTS for two years when the site uses https', () => {
    const age = 'max-age=63072000; includeSubDomains';
    const headers = pageHeaders('https://korob.example');
    expect(headers['strict-transport-security']).toBe(age);
    expect(fileHeaders('https://korob.example')).toHaveProperty('strict-transport-security', age);
  });
});

test('a template fails without one of its variables, and escapes HTML', () => {
  const phone = { number: '+7', text: '+7' };
  expect(() => templates.plainError({ status: 404, phone })).toThrow(/undefined/);
  expect(templates.plainError({ status: 404, text: '<b>', phone })).toContain('&lt;b&gt;');
  expect(templates.botError({ status: 404, message: '<b>' })).toContain('<b>');
});

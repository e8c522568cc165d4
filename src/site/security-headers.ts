import { createHash } from 'node:crypto';
import type { Integrations } from '../model/integrations.ts';
import { speculationRules } from './speculation-rules.ts';

export type Headers = Readonly<Record<string, string>>;

const unusedFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb'];

/** Needs the exact text sent. */
function inline(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Not by `inline-speculation-rules`, which browsers without such rules do not know. */
const rulesSource = inline(speculationRules);

type PolicyNeeds = {
  /** Without it, all styles are blocked. */
  css?: string;
  integrations?: Integrations;
};

type Sources = Record<'script' | 'style' | 'worker' | 'rest' | 'ancestors', string[]>;

/** From Metrika's documentation on CSP; visitors use the nearest host. */
const metrikaHosts = [
  ...'ru az by co.il com com.am com.ge com.tr ee fr kg kz lt lv md tj tm uz'
    .split(' ')
    .map((zone) => `mc.yandex.${zone}`),
  'mc.webvisor.com',
  'mc.webvisor.org',
];

/** For session replay, with web sockets to the two main hosts. */
const replay = ['wss://mc.yandex.ru', 'wss://mc.yandex.com', 'blob:'];

/** They frame pages for click maps and session replay; same source, which names some twenty hosts in these zones. */
const metrikaViewers = [
  ...['ru', 'by', 'kz', 'uz', 'com', 'com.tr'].map((zone) => `*.yandex.${zone}`),
  ...['webvisor.com', '*.webvisor.com'],
];

/** Without a scheme, a source has the scheme of the page. */
function thirdParties({ metrikaId, mapsApiKey, turnstileSiteKey, videoHosts = [] }: Integrations): Sources {
  const metrika = metrikaId ? [...metrikaHosts, ...replay] : [];
  const metrikaScripts = metrikaId ? ['mc.yandex.ru', 'yastatic.net'] : [];
  const maps = mapsApiKey ? ['api-maps.yandex.ru', '*.api-maps.yandex.ru', 'yastatic.net'] : [];
  const tiles = mapsApiKey ? ['*.maps.yandex.net', 'data:'] : [];
  const turnstile = turnstileSiteKey ? ['challenges.cloudflare.com'] : [];
  return {
    // `unsafe-eval` for the map's vector tiles.
    script: [...new Set([...metrikaScripts, ...maps, ...turnstile]), ...(mapsApiKey ? ["'unsafe-eval'"] : [])],
    style: maps,
    worker: mapsApiKey ? ['blob:', 'data:', ...maps] : [],
    rest: [...metrika, ...maps, ...tiles, ...turnstile, ...videoHosts],
    ancestors: metrikaId ? metrikaViewers : [],
  };
}

/** Two years, which the preload list of browsers recommends. */
const transportSecurity = 'max-age=63072000; includeSubDomains';

/**
 * Saves a few hundred bytes per file.
 *
 * @param siteUrl HSTS needs https
 * @param sandbox for pages of others, which could send visitors elsewhere
 */
export function fileHeaders(siteUrl: string, { sandbox = false } = {}): Headers {
  const policy = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";
  return {
    'Content-Security-Policy': sandbox ? `${policy};sandbox` : policy,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(siteUrl.startsWith('https:') && { 'Strict-Transport-Security': transportSecurity }),
  };
}

/** Names are lower-case. @param siteUrl HSTS needs https */
export function securityHeaders(siteUrl: string, { css, integrations = {} }: PolicyNeeds = {}): Headers {
  const others = thirdParties(integrations);
  return {
    'content-security-policy': policyText({
      // Sources that run no code are named once; with a list for each directive, pages outgrow the first round trip.
      'default-src': ["'self'", ...others.rest.filter((source) => source !== new URL(siteUrl).host)],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': others.ancestors.length > 0 ? others.ancestors : ["'none'"],
      'object-src': ["'none'"],
      'script-src': ["'self'", ...(css === undefined ? [] : [rulesSource]), ...others.script],
      'style-src': css === undefined ? ["'none'"] : [inline(css), ...others.style],
      'worker-src': others.worker,
    }),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(),
    // The contact form reads its page and campaign from the full referrer.
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(siteUrl.startsWith('https:') && { 'strict-transport-security': transportSecurity }),
    'x-content-type-options': 'nosniff',
    // Allows no exceptions, and `frame-ancestors` overrides it.
    ...(others.ancestors.length === 0 && { 'x-frame-options': 'DENY' }),
  };
}

/** Omits directives without a source, which `default-src` covers. */
function policyText(directives: Record<string, readonly string[]>): string {
  return Object.entries(directives)
    .filter(([, sources]) => sources.length > 0)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';');
}

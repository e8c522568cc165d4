import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
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
  /** Lets goals be reported without the counter's script. */
  goal?: boolean;
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

/** For HSTS. */
const twoYearsInSeconds = 63_072_000;

/** Saves a few hundred bytes per file. @param siteUrl HSTS needs https */
export function fileHeaders(siteUrl: string): Headers {
  return {
    'Content-Security-Policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(siteUrl.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${twoYearsInSeconds}; includeSubDomains`,
    }),
  };
}

/** Names are lower-case. @param siteUrl HSTS needs https */
export function securityHeaders(siteUrl: string, { css, integrations = {}, goal = false }: PolicyNeeds = {}): Headers {
  const others = thirdParties(integrations);
  const secure = siteUrl.startsWith('https:');
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        // Sources that run no code are named once; with a list for each directive, pages outgrow the first round trip.
        defaultSrc: ["'self'", ...others.rest.filter((source) => source !== new URL(siteUrl).host)],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: others.ancestors.length > 0 ? others.ancestors : ["'none'"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'", ...(css === undefined ? [] : [rulesSource]), ...others.script],
        styleSrc: css === undefined ? ["'none'"] : [inline(css), ...others.style],
        ...(others.worker.length > 0 && { workerSrc: others.worker }),
        ...(goal && { connectSrc: ["'self'", 'mc.yandex.ru'] }),
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // The contact form reads its page and campaign from the full referrer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: secure && { maxAge: twoYearsInSeconds, includeSubDomains: true },
    // Allows no exceptions, and `frame-ancestors` overrides it.
    xFrameOptions: others.ancestors.length === 0 && { action: 'deny' },
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
    originAgentCluster: false,
  });
  // Helmet does not read this request, and calls back synchronously.
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, (error) => {
    if (error) throw error;
  });
  response.setHeader('Permissions-Policy', unusedFeatures.map((feature) => `${feature}=()`).join());
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

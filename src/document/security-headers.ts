import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Integrations } from '../model/integrations.ts';

export type Headers = Readonly<Record<string, string>>;

const unusedFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

/** Needs the exact text sent. */
function styleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

type PolicyNeeds = {
  /** Without it, all styles are blocked. */
  css?: string;
  integrations?: Integrations;
  /** Lets goals be reported without the counter's script. */
  goal?: boolean;
};

type Sources = Record<'script' | 'connect' | 'img' | 'style' | 'frame' | 'media' | 'worker' | 'ancestors', string[]>;

/** From Metrika's documentation on CSP; visitors use the nearest host. */
const metrikaCountries = 'ru az by co.il com com.am com.ge com.tr ee fr kg kz lt lv md tj tm uz'
  .split(' ')
  .map((zone) => `mc.yandex.${zone}`);
const metrikaHosts = [...metrikaCountries, 'mc.webvisor.com', 'mc.webvisor.org'];

/** They frame pages for click maps and session replay; same source. */
const metrikaViewers = [
  ...['ru', 'by', 'kz', 'uz', 'com'].map((zone) => `https://metrika.yandex.${zone}`),
  ...['com', 'com.tr'].map((zone) => `https://metrica.yandex.${zone}`),
  ...['https://webvisor.com', 'https://*.webvisor.com'],
];

function thirdParties({ metrikaId, mapsApiKey, turnstileSiteKey, videoHosts = [] }: Integrations): Sources {
  const metrika = metrikaId ? metrikaHosts.map((host) => `https://${host}`) : [];
  const metrikaSockets = metrikaId ? metrikaHosts.map((host) => `wss://${host}`) : [];
  const metrikaFiles = metrikaId ? [...metrika, 'https://yastatic.net'] : [];
  const maps = mapsApiKey ? ['https://api-maps.yandex.ru', 'https://*.api-maps.yandex.ru'] : [];
  const mapFiles = mapsApiKey ? [...maps, 'https://yastatic.net'] : [];
  const tiles = mapsApiKey ? ['https://*.maps.yandex.net'] : [];
  const videos = videoHosts.map((host) => `https://${host}`);
  const turnstile = turnstileSiteKey ? ['https://challenges.cloudflare.com'] : [];
  return {
    // `unsafe-eval` for the map's vector tiles.
    script: [
      ...metrikaFiles,
      ...mapFiles.filter((file) => !metrikaFiles.includes(file)),
      ...(mapsApiKey ? ["'unsafe-eval'"] : []),
      ...turnstile,
    ],
    // Session replay uses web sockets.
    connect: [...metrika, ...metrikaSockets, ...maps, ...tiles],
    img: [...metrika, ...mapFiles, ...tiles, ...(mapsApiKey ? ['data:'] : [])],
    style: mapFiles,
    // For Metrika's click map and Turnstile's widget.
    frame: [...videos, ...turnstile, ...metrika, ...(metrikaId ? ['blob:'] : [])],
    media: videos,
    worker: mapsApiKey ? ['blob:', 'data:', ...mapFiles] : [],
    ancestors: metrikaId ? metrikaViewers : [],
  };
}

/** Seconds, for HSTS. */
const twoYears = 63_072_000;

/** Saves a few hundred bytes per file. @param siteUrl HSTS needs https */
export function fileHeaders(siteUrl: string): Headers {
  return {
    'Content-Security-Policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(siteUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${twoYears}; includeSubDomains` }),
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
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'", ...others.connect, ...(goal ? ['https://mc.yandex.ru'] : [])],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: others.ancestors.length > 0 ? others.ancestors : ["'none'"],
        frameSrc: others.frame.length > 0 ? others.frame : ["'none'"],
        imgSrc: ["'self'", ...others.img],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'", ...others.media],
        scriptSrc: ["'self'", ...others.script],
        styleSrc: css === undefined ? ["'none'"] : ["'self'", styleSource(css), ...others.style],
        ...(others.worker.length > 0 && { workerSrc: others.worker }),
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // The contact form reads its page and campaign from the full referrer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: secure && { maxAge: twoYears, includeSubDomains: true },
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
  response.setHeader('Permissions-Policy', unusedFeatures.map((feature) => `${feature}=()`).join(', '));
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Integrations } from '../model/integrations.ts';

export type Headers = Readonly<Record<string, string>>;

/** Features of the browser that no page of this site asks for. */
const unusedFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

/** Name of a style block in a content-security policy, from the very text that is sent. */
export function styleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** What a page needs of its policy. */
export type PolicyNeeds = {
  /** The page's one style block, beside style sheets of the site; without it, no style is allowed. */
  css?: string;
  /** Third parties that the page may call in. */
  integrations?: Integrations;
  /** Whether it tells the counter that a goal was reached, without the counter's script. */
  goal?: boolean;
};

type Sources = Record<'script' | 'connect' | 'img' | 'style' | 'frame' | 'media' | 'worker' | 'ancestors', string[]>;

/** Where Yandex Metrika answers, by its page on content-security policies: each visitor is sent to the nearest. */
const metrikaCountries = 'ru az by co.il com com.am com.ge com.tr ee fr kg kz lt lv md tj tm uz'
  .split(' ')
  .map((zone) => `mc.yandex.${zone}`);
const metrikaHosts = [...metrikaCountries, 'mc.webvisor.com', 'mc.webvisor.org'];

/** Who shows the pages in a frame, with clicks and recorded visits over them; the same documentation. */
const metrikaViewers = [
  ...['ru', 'by', 'kz', 'uz', 'com'].map((zone) => `https://metrika.yandex.${zone}`),
  ...['com', 'com.tr'].map((zone) => `https://metrica.yandex.${zone}`),
  ...['https://webvisor.com', 'https://*.webvisor.com'],
];

/** What third parties are loaded from and send to, by their own documentation. */
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
    // The map compiles what reads its vector tiles.
    script: [
      ...metrikaFiles,
      ...mapFiles.filter((file) => !metrikaFiles.includes(file)),
      ...(mapsApiKey ? ["'unsafe-eval'"] : []),
      ...turnstile,
    ],
    // Session replay sends through a web socket.
    connect: [...metrika, ...metrikaSockets, ...maps, ...tiles],
    img: [...metrika, ...mapFiles, ...tiles, ...(mapsApiKey ? ['data:'] : [])],
    style: mapFiles,
    // The click map of the counter, and the widget of the challenge.
    frame: [...videos, ...turnstile, ...metrika, ...(metrikaId ? ['blob:'] : [])],
    media: videos,
    worker: mapsApiKey ? ['blob:', 'data:', ...mapFiles] : [],
    ancestors: metrikaId ? metrikaViewers : [],
  };
}

/** Seconds for which browsers ask this host by https alone. */
const twoYears = 63_072_000;

/**
 * The headers that protect what is no page: scripts, pictures, data. A few hundred bytes less than a page needs, on each
 * of the twenty files of a first view.
 *
 * @param siteUrl absolute address of the site; HSTS is sent only if it is https
 */
export function fileHeaders(siteUrl: string): Headers {
  return {
    'Content-Security-Policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(siteUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${twoYears}; includeSubDomains` }),
  };
}

/**
 * The headers that protect a page, or an error. They depend on nothing but what the
 * page needs, so they can be made once and sent as they are.
 *
 * @param siteUrl absolute address of the site; HSTS is sent only if it is https
 */
export function securityHeaders(siteUrl: string, { css, integrations = {}, goal = false }: PolicyNeeds = {}): Headers {
  const others = thirdParties(integrations);
  const secure = siteUrl.startsWith('https:');
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
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
    // The address of the page before tells where a form was opened and by which campaign; other sites get the origin.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: secure && { maxAge: twoYears, includeSubDomains: true },
    // It knows no exceptions, and whoever knows the policy above takes no notice of it.
    xFrameOptions: others.ancestors.length === 0 && { action: 'deny' },
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
    originAgentCluster: false,
  });
  // Helmet sets headers and calls back at once; it reads nothing of the request with these options.
  protect({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  headers['Permissions-Policy'] = unusedFeatures.map((feature) => `${feature}=()`).join(', ');
  return headers;
}

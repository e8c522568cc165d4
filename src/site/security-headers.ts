import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { apiOf, type Repository } from '../loading/repository.ts';
import type { Integrations } from '../model/integrations.ts';
import { speculationRules } from './speculation-rules.ts';

export type Headers = Readonly<Record<string, string>>;

type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

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

/** Headers of helmet for browsers that the site does not support. */
const unneeded = {
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const satisfies HelmetOptions;

/** @param siteUrl HSTS needs https */
export function protectPages(siteUrl: string, { css, integrations = {} }: PolicyNeeds = {}): RequestHandler {
  const others = thirdParties(integrations);
  const protect = helmet({
    ...unneeded,
    contentSecurityPolicy: policy({
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
    // The contact form reads its page and campaign from the full referrer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: transportSecurity(siteUrl),
    // Allows no exceptions, and `frame-ancestors` overrides it.
    xFrameOptions: others.ancestors.length === 0 && { action: 'deny' },
  });
  return (req, res, next) => {
    // helmet has no such header.
    res.setHeader('Permissions-Policy', unusedFeatures.map((feature) => `${feature}=()`).join());
    protect(req, res, next);
  };
}

/** Saves a few hundred bytes per file. */
function protectFiles(siteUrl: string, sandbox: boolean): RequestHandler {
  const none = {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return helmet({
    ...unneeded,
    contentSecurityPolicy: { useDefaults: false, directives: { ...none, ...(sandbox && { sandbox: [] }) } },
    crossOriginOpenerPolicy: false,
    referrerPolicy: false,
    strictTransportSecurity: transportSecurity(siteUrl),
    xFrameOptions: false,
  });
}

/** The editor adds styles at runtime, shows pictures it has read, and calls only the repository. */
export function protectEditor(repository: Repository): RequestHandler {
  const { rest, graphql = rest, state = rest, pictures } = apiOf(repository);
  const origins = [rest, graphql, state].map((url) => new URL(url).origin);
  return helmet.contentSecurityPolicy(
    policy({
      'default-src': ["'none'"],
      'base-uri': ["'none'"],
      'connect-src': ["'self'", 'blob:', 'data:', ...new Set(origins)],
      'font-src': ["'self'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'frame-src': ['blob:'],
      'img-src': ["'self'", 'blob:', 'data:', ...pictures],
      'media-src': ['blob:'],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
    }),
  );
}

/** Omits directives without a source, which `default-src` covers. */
function policy(directives: Record<string, readonly string[]>) {
  return {
    useDefaults: false,
    directives: Object.fromEntries(Object.entries(directives).filter(([, sources]) => sources.length > 0)),
  };
}

/** Two years, which the preload list of browsers recommends. */
function transportSecurity(siteUrl: string) {
  return siteUrl.startsWith('https:') && { maxAge: 63_072_000 };
}

/** For a page that is rendered before anybody asks for it. */
export function pageHeaders(siteUrl: string, needs: PolicyNeeds = {}): Headers {
  return written(protectPages(siteUrl, needs));
}

/**
 * @param siteUrl HSTS needs https
 * @param sandbox for pages of others, which could send visitors elsewhere
 */
export function fileHeaders(siteUrl: string, { sandbox = false } = {}): Headers {
  return written(protectFiles(siteUrl, sandbox));
}

/** What a middleware writes into a response, with names in lower case. */
function written(middleware: RequestHandler): Headers {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  middleware(response.req, response, (error) => {
    if (error) throw error;
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

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
  /** The page's one style block; without it, no style is allowed. */
  css?: string;
  /** Third parties that the page may call in. */
  integrations?: Integrations;
};

type Sources = Record<'script' | 'connect' | 'img' | 'style' | 'frame' | 'media' | 'worker', string[]>;

/** What third parties are loaded from and send to, by their own documentation. */
function thirdParties({ metrikaId, mapsApiKey, turnstileSiteKey, videoHosts = [] }: Integrations): Sources {
  const metrika = metrikaId ? ['https://mc.yandex.ru', 'https://mc.yandex.com'] : [];
  const maps = mapsApiKey ? ['https://api-maps.yandex.ru', 'https://*.api-maps.yandex.ru'] : [];
  const mapFiles = mapsApiKey ? [...maps, 'https://yastatic.net'] : [];
  const tiles = mapsApiKey ? ['https://*.maps.yandex.net'] : [];
  const videos = videoHosts.map((host) => `https://${host}`);
  const turnstile = turnstileSiteKey ? ['https://challenges.cloudflare.com'] : [];
  return {
    // The map compiles what reads its vector tiles.
    script: [...metrika, ...mapFiles, ...(mapsApiKey ? ["'unsafe-eval'"] : []), ...turnstile],
    // Session replay sends through a web socket.
    connect: [...metrika, ...metrika.map((host) => host.replace('https:', 'wss:')), ...maps, ...tiles],
    img: [...metrika, ...mapFiles, ...tiles, ...(mapsApiKey ? ['data:'] : [])],
    style: mapFiles,
    // The click map of the counter, and the widget of the challenge.
    frame: [...videos, ...turnstile, ...metrika, ...(metrikaId ? ['blob:'] : [])],
    media: videos,
    worker: mapsApiKey ? ['blob:', 'data:', ...mapFiles] : [],
  };
}

/**
 * The headers that protect an answer. They depend on nothing but what the
 * page needs, so they can be made once and sent as they are.
 *
 * @param siteUrl absolute address of the site; HSTS is sent only if it is https
 */
export function securityHeaders(siteUrl: string, { css, integrations = {} }: PolicyNeeds = {}): Headers {
  const others = thirdParties(integrations);
  const https = siteUrl.startsWith('https:');
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
        connectSrc: ["'self'", ...others.connect],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        frameSrc: others.frame.length > 0 ? others.frame : ["'none'"],
        imgSrc: ["'self'", ...others.img],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'", ...others.media],
        scriptSrc: ["'self'", ...others.script],
        styleSrc: css === undefined ? ["'none'"] : [styleSource(css), ...others.style],
        ...(others.worker.length > 0 && { workerSrc: others.worker }),
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // The address of the page before tells where a form was opened and by which campaign; other sites get the origin.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: https && { maxAge: 63_072_000, includeSubDomains: true },
    xFrameOptions: { action: 'deny' },
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

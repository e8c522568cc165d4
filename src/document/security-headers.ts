import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Integrations } from '../site/integrations.ts';

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

type Sources = { script: string[]; connect: string[]; img: string[]; frame: string[]; worker: string[] };

/** Hosts that third parties are loaded from, by their own documentation. */
function thirdParties({ metrikaId, mapsApiKey, turnstileSiteKey }: Integrations): Sources {
  const metrika = metrikaId ? ['https://mc.yandex.ru', 'https://mc.yandex.com'] : [];
  const maps = mapsApiKey ? ['https://api-maps.yandex.ru', 'https://yastatic.net', 'https://*.maps.yandex.net'] : [];
  const turnstile = turnstileSiteKey ? ['https://challenges.cloudflare.com'] : [];
  return {
    script: [...metrika, ...maps.slice(0, 2), ...turnstile],
    // Session replay sends through a web socket.
    connect: [...metrika, ...metrika.map((host) => host.replace('https:', 'wss:')), ...maps],
    img: [...metrika, ...maps, ...(mapsApiKey ? ['data:', 'blob:'] : [])],
    frame: metrikaId ? ['blob:'] : [],
    worker: mapsApiKey ? ['blob:'] : [],
  };
}

function styleSources(css: string | undefined, { mapsApiKey }: Integrations): string[] {
  // The map puts style blocks of its own into the page; a hash beside it would take 'unsafe-inline' back.
  if (mapsApiKey) return ["'unsafe-inline'", 'blob:'];
  return [css === undefined ? "'none'" : styleSource(css)];
}

/**
 * The headers that protect an answer. They are the same for every answer but for
 * the style block that the policy allows, so they can be made once and sent as they are.
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
        // A broadcast may come from any place that the operator names while pages stay as they are.
        frameSrc: ['https:', ...others.frame],
        imgSrc: ["'self'", ...others.img],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'", 'https:'],
        scriptSrc: ["'self'", ...others.script],
        styleSrc: styleSources(css, integrations),
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

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

export type Headers = Readonly<Record<string, string>>;

/** Features of the browser that no page of this site asks for. */
const unusedFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

/** Name of a style block in a content-security policy, from the very text that is sent. */
export function styleSource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/**
 * The headers that protect an answer. They are the same for every answer but for
 * the style block that the policy allows, so they can be made once and sent as they are.
 *
 * @param siteUrl absolute address of the site; HSTS is sent only if it is https
 * @param css the page's one style block; without it the policy allows no style at all
 */
export function securityHeaders(siteUrl: string, css?: string): Headers {
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
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // A broadcast may come from any place that the operator names while pages stay as they are.
        frameSrc: ['https:'],
        imgSrc: ["'self'"],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'", 'https:'],
        scriptSrc: ["'self'"],
        styleSrc: [css === undefined ? "'none'" : styleSource(css)],
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

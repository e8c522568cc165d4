import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The headers of a person's browser; without them, errors are plain text as for a bot. */
export const browserHeaders = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
  accept: 'text/html,application/xhtml+xml',
};

export type Ask = {
  method?: string;
  /** Added to those of a browser; `undefined` removes one. */
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** The address that the request comes from; all of 127.0.0.0/8 is loopback. */
  from?: string;
  agent?: Agent | false;
};

export type HttpAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Each header with all its values. */
  distinct: NodeJS.Dict<string[]>;
  body: Buffer;
  text: string;
};

/** Sends a request unchanged to a server on loopback, and neither follows nor unpacks the answer. */
export function ask(port: number, path: string, options: Ask = {}): Promise<HttpAnswer> {
  const { method = 'GET', headers = {}, body, from, agent = false } = options;
  const given = Object.entries({ ...browserHeaders, ...headers }).filter(([, value]) => value !== undefined);
  const to = { host: '127.0.0.1', port, path, method, agent, headers: Object.fromEntries(given) };
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, ...(from !== undefined && { localAddress: from }) }, (response) => {
      const { statusCode: status = 0, headers, headersDistinct: distinct } = response;
      buffer(response).then((body) => resolve({ status, headers, distinct, body, text: body.toString() }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Makes a form request as a browser sends it from a page of the site. @param options other options of the request */
export function asForm<T extends Pick<Ask, 'headers'>>(fields: Record<string, string> | URLSearchParams, options: T) {
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const body = new URLSearchParams(fields).toString();
  return { ...options, method: 'POST', headers: { ...type, ...options.headers }, body };
}

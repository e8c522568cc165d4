export type Attack = {
  name: string;
  connections: number;
  /** Per connection, unless it waits for a response. */
  perSecond: number;
  /** For an unfinished request: the next piece. */
  send: (number: number) => string;
  /** The start of an unfinished request. */
  begin?: string;
  /** Does not read responses. */
  unread?: true;
  /** Another process locks the database. */
  locked?: true;
  /** Seconds before visitors are measured. */
  after?: number;
  /** Limit of the 99th percentile, relative to an idle server. */
  most: number;
};

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost:3000', 'User-Agent: Mozilla/5.0', ...headers, '', ''].join('\r\n');
const get = (path: string, ...headers: string[]) => head(`GET ${path}`, 'X-Forwarded-For: 192.0.2.1', ...headers);
const post = (path: string, body: string, length = body.length) =>
  head(
    `POST ${path}`,
    'X-Forwarded-For: 192.0.2.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${length}`,
  ) + body;

const blanks = get('/', `Accept-Encoding: a${' '.repeat(15_000)}b`);
const types = get('/nowhere', `Accept: ${Array.from({ length: 1_800 }, (_, number) => `a/${number}`).join()}`);
const marks = post('/contact', `preset=e${encodeURIComponent('\u0327\u0301'.repeat(2_400))}`);
const cyrillic = get(`/${'%D1%8F'.repeat(600)}`);
const fields = post('/contact', 'a&'.repeat(130_000));
const large = post('/nowhere', 'a'.repeat(250_000));

const slow = { connections: 4, perSecond: 10, most: 2 };
const flood = { connections: 16, perSecond: 50, most: 3 };

export const attacks: readonly Attack[] = [
  { ...slow, name: '15,000 blanks in Accept-Encoding', send: () => blanks },
  { ...slow, name: '1,800 types in Accept', send: () => types },
  { ...slow, name: '4,800 marks on a letter', send: () => marks },
  { ...slow, name: 'long addresses that lead nowhere', send: () => cyrillic },
  { ...slow, name: 'the database held by another process', send: () => get('/readyz'), locked: true },
  { ...slow, name: 'form of 130,000 fields', send: () => fields },
  { ...slow, name: '250 KB for an unknown address', send: () => large },
  { ...flood, name: 'flood of 404s', send: (number) => get(`/nowhere-${number}`) },
  { ...flood, name: 'flood of forms for unknown addresses', send: (number) => post(`/nowhere-${number}`, 'a=b') },
  { ...flood, name: 'flood of searches', send: (number) => get(`/search?q=${number}`) },
  {
    name: '8 pipelines of 2,400 requests, unread',
    connections: 8,
    perSecond: 1,
    send: () => get('/').repeat(2_400),
    unread: true,
    most: 2,
  },
  {
    name: '1,000 connections that drip headers',
    connections: 1_000,
    perSecond: 1,
    begin: 'GET / HTTP/1.1\r\nHost: localhost:3000\r\n',
    send: () => 'X-More: a\r\n',
    // The server closes them after 10 to 12 seconds.
    after: 9,
    most: 2,
  },
  {
    name: '1,000 connections that drip a form',
    connections: 1_000,
    perSecond: 1,
    begin: post('/contact', '', 10_000),
    send: () => 'a',
    most: 2,
  },
];

import { type Agent, request } from 'node:http';

type Visit = {
  /** Connections that are kept; without it, each visit has its own. */
  agent?: Agent;
  /** Address that the visitor comes from; every address of 127.0.0.0/8 is this machine. */
  from?: string;
  /** Address that the visitor comes from as a proxy in front tells it. */
  forwarded?: string;
  /** What is sent with the request form, if it is. */
  form?: Readonly<Record<string, string>>;
};

/** Asks for a page, or sends the form, as a browser does. @returns status 0 if there is no answer */
export function visit(
  port: number,
  path: string,
  { agent, from, forwarded, form }: Visit = {},
): Promise<{ status: number; location: string }> {
  return new Promise((resolve) => {
    const nobody = () => resolve({ status: 0, location: '' });
    const body = form && new URLSearchParams({ preset: 'question', name: 'Анна', consent: 'yes', ...form }).toString();
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path: form ? '/contact' : path, method: form ? 'POST' : 'GET' },
        ...{ agent: agent ?? false, ...(from !== undefined && { localAddress: from }) },
        headers: {
          accept: 'text/html',
          'accept-encoding': 'br',
          'user-agent': 'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile',
          ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
          ...(form && { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }),
        },
      },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        answer.on('error', nobody);
        answer.resume().on('end', () => resolve({ status, location: headers.location ?? '' }));
      },
    );
    sent.on('error', nobody);
    sent.end(body);
  });
}

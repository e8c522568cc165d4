import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { alone, type Figure } from './figure.ts';
import { type Peers, production, start } from './servers.ts';

/** Pinned, so that scores compare; fetched by npm when it is asked for, so that it weighs on no install. */
const observatory = '@mdn/mdn-http-observatory@1.4.8';

const site = 'https://korob.example';
const paths = ['/', '/rates', '/contacts', '/contact', '/cases?page=2', '/search', '/broadcast'];

type Answer = { status: number; headers: unknown; data: string; verified: boolean; httpEquiv?: unknown };

/** The parts of the package that judge what has come, without those that fetch it. */
type Judge = {
  Requests: new (
    host: string,
  ) => {
    responses: Record<'auto' | 'http' | 'https' | 'cors', Answer> &
      Record<'httpRedirects' | 'httpsRedirects', { url: URL; status: number }[]>;
    resources: { path?: string };
    session: unknown;
  };
  ALL_TESTS: readonly ((requests: InstanceType<Judge['Requests']>) => { result: string })[];
  getScoreModifier(result: string): number;
  parseHttpEquivHeaders(html: string, address: string): unknown;
  AxiosHeaders: new (headers: Record<string, string>) => unknown;
};

/** What MDN's HTTP Observatory says of pages served over https, by the worst of them; 100 is a site without a fault. */
export async function measureObservatory({ folder }: Peers): Promise<Figure[]> {
  const judge = await fetchJudge(join(folder, 'observatory'));
  await using server = await start(production(join(folder, 'observed'), { SITE_URL: site }));
  const scores: number[] = [];
  for (const path of paths) scores.push(await scoreOf(path, `http://127.0.0.1:${server.port}`, judge));
  return [
    alone(`Observatory, the worst of ${paths.length} pages`, 'points', Math.min(...scores), {
      at: 'least',
      value: 130,
    }),
  ];
}

async function fetchJudge(folder: string): Promise<Judge> {
  mkdirSync(folder);
  await promisify(execFile)('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', observatory]);
  const root = join(folder, 'node_modules/@mdn/mdn-http-observatory');
  // It would fetch a list of names that browsers know already; a new site is not among them.
  writeFileSync(join(root, 'conf/hsts-preload.json'), '{}');
  const files = ['types.js', 'constants.js', 'grader/grader.js', 'retriever/utils.js'].map((file) =>
    join(root, 'src', file),
  );
  const modules = await Promise.all(
    [...files, join(folder, 'node_modules/axios/index.js')].map((file) => import(pathToFileURL(file).href)),
  );
  return Object.assign({}, ...modules);
}

/** As it scores what it has fetched itself: http leads to https, where nginx has seen to it. */
async function scoreOf(path: string, server: string, judge: Judge): Promise<number> {
  async function ask(init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(server + path, init);
    const headers = new judge.AxiosHeaders(Object.fromEntries(answer.headers));
    return { status: answer.status, headers, data: await answer.text(), verified: true };
  }
  const address = new URL(path, site);
  const page = await ask();
  page.httpEquiv = judge.parseHttpEquivHeaders(page.data, address.href);
  const requests = new judge.Requests(address.host);
  const preflight = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };
  Object.assign(requests.responses, {
    ...{ auto: page, http: page, https: page, cors: await ask({ method: 'OPTIONS', headers: preflight }) },
    httpRedirects: [
      { url: new URL(address.href.replace('https:', 'http:')), status: 301 },
      { url: address, status: page.status },
    ],
    httpsRedirects: [{ url: address, status: page.status }],
  });
  requests.resources.path = page.data;
  requests.session = { url: address, jar: { serializeSync: () => ({ cookies: [] }) } };
  return judge.ALL_TESTS.reduce((score, test) => score + judge.getScoreModifier(test(requests).result), 100);
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../../src/testing/browser.ts';
import { templates } from '../../src/testing/pages.ts';
import { alone, type Figure } from './figure.ts';
import { type Peers, start } from './servers.ts';

/** Pinned, so that scores compare; fetched by npx when it is asked for, so that it weighs on no install. */
const lighthouse = 'lighthouse@13.5.0';

/** What else a machine does can only take away from a page, so one that falls short is measured again. */
const tries = 3;

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];

/** Scores are out of 100; a page that is kept out of search engines has none for `seo`. */
type Result = {
  scores: Partial<Record<Category, number>>;
  /** Milliseconds. */
  blocked: number;
  shifted: number;
  /** What took points away, or time. */
  reasons: string[];
};

/** The part of Lighthouse's report that is read here. */
type Report = {
  runtimeError?: { code: string; message: string };
  categories: Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number; displayValue?: string }>;
};

/** What Lighthouse says of one page of every kind on its phone, by the worst of them. */
export async function measureLighthouse({ ours, folder }: Peers): Promise<Figure[]> {
  await using server = await start(ours);
  const site = `http://127.0.0.1:${server.port}`;
  const results: Result[] = [];
  const forbidden = forbiddenBy(await (await fetch(`${site}/robots.txt`)).text());
  for (const path of templates) {
    const url = site + path;
    const answer = await fetch(url);
    // Lighthouse calls itself one and is taken for a bot, which gets no error page.
    if (!answer.ok) continue;
    const noindex = (await answer.text()).includes('<meta name="robots" content="noindex">');
    const indexed = !noindex && !forbidden.some((rule) => rule.test(path));
    const asked = categories.filter((category) => category !== 'seo' || indexed);
    const result = await best(url, asked, join(folder, 'lighthouse.json'));
    process.stderr.write(`${line(path, result)}\n`);
    results.push(result);
  }
  const [all, none] = [{ at: 'least', value: 100 } as const, { at: 'most', value: 0 } as const];
  const worst = (category: Category) => Math.min(100, ...results.flatMap(({ scores }) => scores[category] ?? []));
  return [
    ...categories.map((category) => alone(`Lighthouse: ${category}`, 'of 100', worst(category), all)),
    alone('Lighthouse: total blocking time', 'ms', Math.max(...results.map(({ blocked }) => blocked)), none),
    alone('Lighthouse: layout shift', '', Math.max(...results.map(({ shifted }) => shifted)), none),
  ];
}

/** What robots may not ask for, as RFC 9309 reads it: from the beginning, a star for anything, a dollar for the end. */
function forbiddenBy(robots: string): RegExp[] {
  return [...robots.matchAll(/^Disallow: (.+)$/gm)].map(
    ([, rule = '']) => new RegExp(`^${RegExp.escape(rule).replaceAll('\\*', '.*').replace(/\\\$$/, '$')}`),
  );
}

async function best(url: string, asked: readonly Category[], file: string): Promise<Result> {
  let found = await run(url, asked, file);
  for (let again = 1; again < tries && lack(found) > 0; again++) {
    const other = await run(url, asked, file);
    if (lack(other) < lack(found)) found = other;
  }
  return found;
}

/** How far a page is from faultless, for comparing its runs. */
function lack({ scores, blocked, shifted }: Result): number {
  return Object.values(scores).reduce((sum, score) => sum + 100 - score, blocked + shifted);
}

/** @throws if Lighthouse cannot judge the page at all, again and again */
async function run(url: string, asked: readonly Category[], file: string): Promise<Result> {
  let report: Report | undefined;
  for (let attempt = 0; attempt < tries; attempt++) {
    report = await reportOn(url, asked, file);
    // A trace without a beginning, for example, which says nothing of the page.
    if (report.runtimeError === undefined) return resultOf(report, asked);
  }
  throw new Error(`Lighthouse cannot judge ${url}: ${report?.runtimeError?.message}`);
}

async function reportOn(url: string, asked: readonly Category[], file: string): Promise<Report> {
  const args = [
    url,
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    `--only-categories=${asked.join()}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage',
  ];
  // It ends with 1 where it could not judge, and tells why in its report.
  await promisify(execFile)('npx', ['--yes', lighthouse, ...args], {
    env: { ...process.env, CHROME_PATH: chromiumPath },
  }).catch((error: { code?: unknown }) => {
    if (error.code !== 1) throw error;
  });
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function resultOf({ categories, audits }: Report, asked: readonly Category[]): Result {
  const scores: Result['scores'] = {};
  const reasons = new Set<string>();
  for (const category of asked) {
    const { score, auditRefs } = categories[category] ?? { score: null, auditRefs: [] };
    scores[category] = Math.round((score ?? 0) * 100);
    for (const { id, weight } of auditRefs) {
      const audit = audits[id];
      if (weight > 0 && audit !== undefined && audit.score !== null && audit.score < 1) {
        reasons.add([id, audit.displayValue].filter(Boolean).join(' '));
      }
    }
  }
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  return {
    scores,
    blocked: value('total-blocking-time'),
    shifted: value('cumulative-layout-shift'),
    reasons: [...reasons],
  };
}

function line(path: string, { scores, blocked, shifted, reasons }: Result): string {
  const shown = categories.map((category) => String(scores[category] ?? '—').padStart(3)).join(' ');
  const time = `TBT ${Math.round(blocked)} ms, CLS ${shifted.toFixed(3)}`;
  return `${path.padEnd(28)} ${shown}  ${[time, ...reasons].join('; ')}`;
}

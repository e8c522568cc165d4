import { createServer } from 'node:http';
import { join } from 'node:path';
import compression from 'compression';
import express from 'express';
import { documentRenderer, shellOf } from '../../src/document/document.tsx';
import { entryScript, readCode } from '../../src/edition/code.ts';
import { readIndex } from '../../src/edition/edition-index.ts';
import { openEdition } from '../../src/edition/open.ts';
import { openShipped } from '../../src/edition/stores.ts';
import { pages } from '../../src/http/pages.ts';
import type { Hash } from '../../src/lib/hash.ts';
import type { Article, Content } from '../../src/model/content.ts';
import { StoredProse } from '../../src/model/prose.ts';
import { searchDocuments, textOf } from '../../src/search/documents.ts';
import { withIndex } from '../../src/search/index-of.ts';
import { makeIndex } from '../../src/search/make-index.ts';
import { nearestPages } from '../../src/search/nearest.ts';
import { searchPage } from '../../src/search/search.page.tsx';
import { openIndex } from '../../src/search/search-index.ts';
import { memoIn } from '../../src/store/memo.ts';
import { openEditionStore } from '../../src/store/store.ts';
import { randomWords } from './random-words.ts';

// Bundled and run by search.ts: node search-server.js PORT DIST DOCUMENTS
//
// Serves /search among so many documents, and measures itself when it is asked to.

/** Milliseconds of the first search: among what ships, and among so many documents. */
export type FirstSearches = { shipped: number; all: number };

const [port = '', dist = '', count = ''] = process.argv.slice(2);
const code = readCode(join(dist, 'code.json'));
const shipped = shippedContent();
const words = randomWords(searchDocuments(shipped).map((one) => [one.title, one.summary, textOf(one)].join(' ')));

/** Words of an article; what ships has some more. */
const articleLength = 250;

function shippedContent(): Content {
  const store = openShipped(join(dist, 'editions.sqlite'));
  const [row] = store?.everyEdition() ?? [];
  const edition = store && row && openEdition(readIndex(row.root, store), store);
  if (edition === undefined) throw new Error('Nothing was shipped; run the build first.');
  return edition.content();
}

/** Holds what there is beside what ships. */
const store = openEditionStore(':memory:', { for: 'make' });
const part = (hash: Hash) => store.bytes(hash) ?? Buffer.alloc(0);
const text = (hash: Hash) => part(hash).toString();

function enlarged(): Content {
  const [sample] = shipped.articles;
  if (sample === undefined) throw new Error('The content that ships has no article to take for a sample.');
  const more = Number(count) - searchDocuments(shipped).length;
  const articles = Array.from({ length: more }, (_, number): Article => {
    const prose = store.keep(`<p>${words.text(articleLength)}</p>`);
    const body = new StoredProse({ prose, headings: [], minutes: 1 }, text);
    const texts = { heading: words.text(6), summary: words.text(20), description: words.text(20) };
    return { ...sample, ...texts, id: number + 1000, slug: `article-${number}`, body };
  });
  const content = { ...shipped, articles: [...shipped.articles, ...articles] };
  const root = makeIndex(content, store.keep, memoIn(store, code.id));
  return withIndex(content, () => openIndex(root, part));
}

const content = enlarged();
const { render } = documentRenderer({
  shell: shellOf(content, { siteUrl: 'http://localhost:3000', script: entryScript(code.scripts) }),
  styles: code.styles,
  sharePicture: () => '/share.png',
});

function page(of: Content, q: string): string {
  const view = searchPage.open(of, {}, { q });
  return view ? render(view).html : '';
}

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

/** Measured once the compiler has seen the code. */
const warmUp = 300;
const measured = 3000;

function rounds(work: () => () => unknown): number[] {
  for (let round = 0; round < warmUp; round++) work()();
  return Array.from({ length: measured }, () => timed(work()));
}

function search(): () => unknown {
  const query = words.query();
  return () => page(content, query);
}

function lookUp(): () => unknown {
  const address = `/blog/${words.query().replaceAll(' ', '-')}`;
  return () => nearestPages(content, address);
}

const first: FirstSearches = {
  shipped: timed(() => page(shipped, 'упаковка')),
  all: timed(() => page(content, 'упаковка')),
};

const app = express();
app.get('/', (_req, res) => void res.json(first));
/** Milliseconds from a query to its page. */
app.get('/searches', (_req, res) => void res.json(rounds(search)));
/** Milliseconds from an address that does not exist to the pages nearest to it. */
app.get('/nearest', (_req, res) => void res.json(rounds(lookUp)));
app.use(compression());
app.use(
  pages(
    { content, render, images: { share: '', placeholder: '', placeholderDrawing: '', errors: {} } },
    { limit: (_req, _res, next) => next() },
  ),
);
createServer(app).listen(Number(port), '127.0.0.1');

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

// Baseline: the least Node, or for a page Express, needs for each task. JavaScript, because stripping types slows the start.
// bare empty               a server with an empty response
// bare page FILE HEADERS   Express with one page; HEADERS is a JSON list: name, value, name, value
// bare leads DATABASE      a server that commits a row for each form
// bare read FOLDER         parses the front matter of Markdown files, then exits

const [task, place, more] = process.argv.slice(2);

const tasks = {
  empty: () => listen((_req, res) => res.end()),

  async page() {
    const { default: express } = await import('express');
    const body = readFileSync(place);
    const headers = JSON.parse(more);
    const app = express();
    app.disable('x-powered-by');
    app.get('/', (_req, res) => res.writeHead(200, headers).end(body));
    listen(app);
  },

  async leads() {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(place);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE lead (form TEXT)');
    const insert = database.prepare('INSERT INTO lead VALUES (?)');
    listen(async (req, res) => {
      if (req.method !== 'POST') return void res.end();
      let form = '';
      for await (const chunk of req.setEncoding('utf8')) form += chunk;
      insert.run(form);
      res.writeHead(303, { Location: '/contact/receipt' }).end();
    });
  },

  async read() {
    const { parse } = await import('yaml');
    for (const name of readdirSync(place, { recursive: true })) {
      if (name.endsWith('.md')) parse(readFileSync(join(place, name), 'utf8').split(/^---$/m)[1] ?? '');
    }
  },
};

function listen(answer) {
  // As in server.ts, because a header contains it.
  createServer({ keepAliveTimeout: 65_000 }, answer).listen(Number(process.env.PORT), process.env.HOST);
}

await tasks[task]();

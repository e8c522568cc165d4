import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// bare-server PORT BODY_FILE HEADERS: the least that Node can do to send one page.
// HEADERS is a JSON list of names and values in turn.

const [port, file = '', headers = '[]'] = process.argv.slice(2);
const body = readFileSync(file);
const list: string[] = JSON.parse(headers);

// The same as in server.ts, because Node tells the client of it in a header.
createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
  res.writeHead(200, list);
  res.end(body);
}).listen(Number(port), '127.0.0.1');

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { listen } from './listen.ts';

type Asked = { method: string; path: string; headers: IncomingHttpHeaders };

/** Answers a request, or lets the site answer with `pass`, now or later. */
type Intercept = (req: IncomingMessage, res: ServerResponse, pass: () => void) => void;

export type Front = {
  /** `http://127.0.0.1:{port}` */
  url: string;
  /** The requests of browsers since the last `reset`, in order. */
  asked: Asked[];
  /** Intercepts requests until the next `reset`. */
  intercept(with_: Intercept): void;
  reset(): void;
};

/**
 * Starts a server in front of the site that records requests, and can hold back or replace answers. Interception by a
 * browser's own tools would bypass its caches and its prefetching, which are under test.
 */
export async function startFront(app: RequestListener): Promise<Front> {
  const asked: Asked[] = [];
  let intercept: Intercept = (_req, _res, pass) => pass();
  const server = createServer((req, res) => {
    const { method = '', url = '', headers } = req;
    asked.push({ method, path: url, headers });
    intercept(req, res, () => app(req, res));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    intercept: (with_) => {
      intercept = with_;
    },
    reset() {
      asked.length = 0;
      intercept = (_req, _res, pass) => pass();
    },
  };
}

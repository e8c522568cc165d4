import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { listen } from './listen.ts';

export type Asked = { method: string; path: string; headers: IncomingHttpHeaders };

/** Answers by itself, or lets the site answer by `pass`, now or later. */
type Intercept = (req: IncomingMessage, res: ServerResponse, pass: () => void) => void;

export type Front = {
  /** `http://127.0.0.1:{port}` */
  url: string;
  /** What browsers have asked for since the last `reset`, in their order. */
  asked: Asked[];
  /** Comes between browsers and the site until the next `reset`. */
  intercept(with_: Intercept): void;
  reset(): void;
};

/**
 * Puts a server in front of the site that tells what browsers ask for, and can hold
 * answers back or replace them. What a browser's own tools can intercept bypasses its
 * caches and its fetching ahead, which are to be proved here.
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

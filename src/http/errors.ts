import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { isbot } from 'isbot';
import type { Logger } from 'pino';
import { cacheFor } from '../lib/cache-for.ts';
import { isSecret } from '../model/addresses.ts';
import { callPhone } from '../model/content.ts';
import type { PageFacts } from '../pages/page.ts';
import { nearestPages } from '../pages/search/nearest.ts';
import { prepareIndex } from '../pages/search/search.ts';
import type { Site } from '../site/site.ts';
import { templates } from '../site/templates.ts';
import { plainPath } from './canonical.ts';
import { errorView } from './error.page.tsx';
import { HttpError, notFound } from './http-error.ts';
import { referrer, sendDocument } from './send-document.ts';

const uncountedError: PageFacts = { name: 'error', uncounted: true };

export const unmatched: RequestHandler = (req, _res, next) => next(notFound(req.originalUrl));

/**
 * JSON for programs, a line of text for bots, a page for people, or plain HTML if the page fails or costs too much.
 *
 * @param countMissing is called with the path of each page that is not found
 */
export function errors(
  { content, render, images }: Site,
  countMissing: (path: string) => void,
  logger: Logger,
): ErrorRequestHandler {
  const phone = callPhone(content.company);
  return async (error: unknown, req, res, _next) => {
    // Pictures and videos are sent without a log of requests.
    const { log = logger } = res.locals;
    const { status, message, fatal, explanation } = asHttpError(error);
    if (status >= 500) log.error({ err: error }, 'request failed');
    if (status === 404 && req.method === 'GET') countMissing(req.path);
    // Express would print the stack.
    if (res.headersSent) return void res.destroy();
    res.status(status).set('Cache-Control', cacheFor.never).vary('Accept').vary('User-Agent');
    if (wantsJson(req)) return void res.json({ statusCode: status, message, fatal });
    if (isbot(req.get('user-agent'))) return void res.type('text').send(templates.botError({ status, message }));
    const plain = (text: string) => res.type('html').send(templates.plainError({ status, text, phone }));
    if (status === 429) return void plain(explanation ?? message);
    try {
      await showPage(req.path, res, { status, explanation });
    } catch (failure) {
      log.error({ err: failure }, 'error page failed');
      plain(message);
    }
  };

  async function showPage(
    path: string,
    res: Response,
    { status, explanation }: Pick<HttpError, 'status' | 'explanation'>,
  ): Promise<void> {
    const nearest = status === 404 && explanation === undefined ? await pagesNear(path) : [];
    const view = errorView({ content, status, explanation, path, image: images.errors[status], nearest });
    const secret = isSecret(plainPath(path) ?? path);
    sendDocument(res, render(secret ? { ...view, page: uncountedError } : view), secret ? referrer.originOnly : {});
  }

  async function pagesNear(path: string) {
    await prepareIndex(content);
    return nearestPages(content, path);
  }
}

function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  // Express, its parsers and the store set `status` on errors.
  const status = Error.isError(error) && 'status' in error ? Number(error.status) : 500;
  const clamped = status >= 400 && status <= 599 ? status : 500;
  return new HttpError(clamped, STATUS_CODES[clamped] ?? 'Error', { cause: error });
}

export function wantsJson(req: Request): boolean {
  return req.path.endsWith('.json') || req.accepts(['html', 'json']) === 'json';
}

import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { cacheFor } from '../lib/cache-for.ts';
import { type PartialFile, readParts, totalLength } from '../lib/file-parts.ts';

/** Streams parts of a file, or the range of them that a visitor asks for. A failure is not cached. */
export async function sendParts(req: Request, res: Response, { path, parts }: PartialFile): Promise<void> {
  const size = totalLength(parts);
  const range = rangeOf(req, res, size);
  res.set('Accept-Ranges', 'bytes');
  if (req.fresh) return void res.status(304).end();
  if (range === -1) return fail(res, 416, { 'Content-Range': `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  try {
    await using file = await open(path);
    if (range) res.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`);
    res.set('Content-Length', String(end - start + 1));
    if (req.method === 'HEAD') return void res.end();
    await pipeline(Readable.from(readParts(file, parts, start, end + 1)), res);
  } catch {
    // After the headers, a visitor who leaves ends the pipeline with an error, too.
    if (!res.headersSent) fail(res, 503, { 'Retry-After': '10' });
  }
}

function fail(res: Response, status: number, headers: Readonly<Record<string, string>>): void {
  res.removeHeader('ETag');
  res
    .status(status)
    .set({ ...headers, 'Cache-Control': cacheFor.never })
    .end();
}

/** @returns -1 if there are no such bytes, `undefined` for the whole */
function rangeOf(req: Request, res: Response, size: number): { start: number; end: number } | -1 | undefined {
  const condition = req.get('If-Range');
  const isMeant = condition === undefined || condition === res.get('ETag');
  const ranges = isMeant && req.get('Range')?.startsWith('bytes=') && req.range(size, { combine: true });
  if (ranges === -1) return -1;
  return typeof ranges === 'object' && ranges.length === 1 ? ranges[0] : undefined;
}

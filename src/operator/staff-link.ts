import type { RequestHandler, Response } from 'express';
import type { Link, Links } from '../leads/store/links.ts';

/**
 * Only failures count towards the limit, so nobody who guesses locks out staff behind the same address.
 *
 * @returns `undefined` for a token that is unknown or has expired
 * @throws the limit's error once there were too many of those
 */
export async function findLink(
  links: Links,
  limit: RequestHandler,
  token: string,
  res: Response,
): Promise<Link | undefined> {
  const link = await links.find(token);
  if (link) return link;
  await new Promise<void>((resolve, reject) => {
    limit(res.req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return undefined;
}

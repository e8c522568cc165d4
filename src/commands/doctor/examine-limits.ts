import { probeRedis } from '../../http/shared-limits.ts';
import { type Examined, type Finding, ok } from './finding.ts';

/** Without Redis, each process counts for itself, so limits are looser. */
export async function* examineLimits({ config: { redisUrl } }: Examined): AsyncGenerator<Finding> {
  if (!redisUrl) return;
  await probeRedis(redisUrl);
  yield ok('Redis counts requests');
}

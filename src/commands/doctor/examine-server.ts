import { isLocal } from './examine-configuration.ts';
import { askTimeoutMs, type Examined, type Finding, fail, ok, warn } from './finding.ts';

/** Asks the process itself, and then as visitors do, by nginx. */
export async function* examineServer({ config: { siteUrl, host, port } }: Examined): AsyncGenerator<Finding> {
  const own = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const ownOrigin = `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
  const asked = await ask(ownOrigin, 'start it, or set PORT and HOST to its own');
  yield asked.finding;
  if (isLocal(siteUrl)) return;
  const visited = await ask(siteUrl, 'look at SITE_URL, the name, nginx and the certificate');
  yield compared(siteUrl, asked, visited);
}

/** @param build that the server names; a proxy passes it on */
type Asked = { finding: Finding; build?: string | undefined };

/** A redirect is not followed: the address would work, and is not the one that pages, feeds and messages name. */
async function ask(origin: string, remedy: string): Promise<Asked> {
  try {
    const options = { redirect: 'manual', signal: AbortSignal.timeout(askTimeoutMs) } as const;
    const { status, headers } = await fetch(`${origin}/healthz`, options);
    const [, build] = /build;desc=(\w+)/.exec(headers.get('server-timing') ?? '') ?? [];
    if (status === 200) return { finding: ok(`a server answers on ${origin}`), build };
    const to = URL.parse(headers.get('location') ?? '', origin)?.origin;
    if (status >= 300 && status < 400 && to !== undefined && to !== origin) {
      return { finding: fail(`${origin} redirects to ${to}; set SITE_URL to the address that visitors end at`) };
    }
    return { finding: fail(`no server of this site answers on ${origin}; ${remedy}: /healthz answers ${status}`) };
  } catch (error) {
    // The cause has the system's reason.
    const { message, cause } = error as Error;
    const reason = Error.isError(cause) ? cause.message : message;
    return { finding: fail(`no server answers on ${origin}; ${remedy}: ${reason}`) };
  }
}

/** A build id names the content, the code and the address, so replicas agree. */
function compared(siteUrl: string, own: Asked, visited: Asked): Finding {
  if (own.build === undefined || visited.finding.verdict !== 'ok' || visited.build === own.build)
    return visited.finding;
  if (visited.build === undefined) {
    return fail(`no server of this site answers on ${siteUrl}, but another does; look at SITE_URL and the name`);
  }
  const remedy = 'look at SITE_URL, the name and nginx, or wait while an update spreads';
  return warn(`another server, or another version of this one, answers on ${siteUrl}; ${remedy}`);
}

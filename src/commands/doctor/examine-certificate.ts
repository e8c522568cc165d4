import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { dayMs } from '../../lib/durations.ts';
import { count } from '../command.ts';
import { askTimeoutMs, type Examined, type Finding, fail, ok, warn } from './finding.ts';

/** Certbot and nginx renew 30 days before the end, so fewer than this mean that renewal fails. */
const certificateWarnDays = 21;
const certificateFailDays = 3;

/** Whether visitors' browsers trust it is found by asking the public address. */
export async function* examineCertificate({ config: { siteUrl } }: Examined): AsyncGenerator<Finding> {
  const { protocol, hostname, port } = new URL(siteUrl);
  if (protocol !== 'https:') return;
  const until = await certificateEnd(hostname.replace(/^\[|\]$/g, ''), Number(port || 443));
  const days = Math.floor((until.getTime() - Date.now()) / dayMs);
  const date = until.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const text = `expires in ${count(days, 'day')}, on ${date}`;
  if (days >= certificateWarnDays) return yield ok(text);
  const remedy = 'see why it is not renewed: "certbot renew", or the log of nginx in the container';
  const finding = `${days < 0 ? `expired on ${date}` : text}; ${remedy}`;
  yield days < certificateFailDays ? fail(finding) : warn(finding);
}

async function certificateEnd(host: string, port: number): Promise<Date> {
  // One that is out of date or of another name is looked at as well; nothing is sent.
  const socket = connect({ host, port, servername: isIP(host) ? '' : host, rejectUnauthorized: false });
  try {
    const signal = AbortSignal.timeout(askTimeoutMs);
    await once(socket, 'secureConnect', { signal });
    return new Date(socket.getPeerCertificate().valid_to);
  } catch (error) {
    throw new Error(`none could be read at ${host}:${port}: ${(error as Error).message}`);
  } finally {
    socket.destroy();
  }
}

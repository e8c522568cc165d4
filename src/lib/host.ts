import { domainToASCII } from 'node:url';
import { decoded } from './decoded.ts';

/** The spelling of programs: `пример.рф` is `xn--e1afmkfd.xn--p1ai`. Empty for what is no host name. */
export function asciiHost(name: string): string {
  return domainToASCII(name);
}

/** For schemes outside the web, such as `smtp:`, whose host `URL` leaves as it is typed. */
export function withAsciiHost(address: string): string {
  const url = new URL(address);
  const host = decoded(url.hostname) ?? '';
  if (host === url.hostname) return address;
  url.hostname = asciiHost(host);
  return url.href;
}

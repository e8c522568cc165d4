import { asciiHost } from './host.ts';

/**
 * The part before the sign in Latin letters, as nearly all mail servers demand; the domain in these or in Russian ones.
 * Without flags, because the editor in the browser uses its source.
 */
export const mailPattern =
  /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(?:[A-Za-zА-Яа-яЁё\d](?:[A-Za-zА-Яа-яЁё\d-]*[A-Za-zА-Яа-яЁё\d])?\.)+(?:xn--[A-Za-z\d-]+|[A-Za-zА-Яа-яЁё]{2,})$/;

/** With the domain as mail servers read it. People may see the other spelling. */
export function asciiMail(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (asciiHost(address.slice(at)) || address.slice(at));
}

export function mailto(address: string): string {
  return `mailto:${asciiMail(address)}`;
}

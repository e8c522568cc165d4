/**
 * Whether pages may show what is at an address themselves, by their content-security policy; otherwise they link to it.
 *
 * @param hosts that the operator names, if any; `*.` stands for any part before
 */
export function isEmbeddable(address: string, hosts: readonly string[] = []): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return false;
  return hosts.some((host) => (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host));
}

/** Files that a browser plays by itself; any other address is a page with a player of its own. */
export const videoFile = /\.(mp4|webm|m3u8)([?#]|$)/i;

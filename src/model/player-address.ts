/** Those of `players`, which the site may embed unless the operator says otherwise. */
export const playerHosts: readonly string[] = ['rutube.ru', 'vkvideo.ru', 'www.youtube-nocookie.com'];

/**
 * Whether it is a player or a file, and the content security policy allows embedding.
 *
 * @param address a path is the site's own
 * @param hosts `*.` matches any subdomain
 */
export function isEmbeddable(address: string, hosts: readonly string[] = []): boolean {
  if (/^\/[^/]/.test(address)) return true;
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || isVideoSitePage(address)) return false;
  return hosts.some((host) => (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host));
}

/** Other addresses need a frame. */
export const videoFile = /\.(mp4|webm|m3u8)([?#]|$)/i;
/** Plays in every browser; a script asks whether HLS does. */
export const plainVideo = /\.(mp4|webm)([?#]|$)/i;

const videoSites = /^(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vk\.(?:com|ru)|vkvideo\.ru|rutube\.ru)$/;
const playerPaths = /^\/(?:play\/)?embed\/|^\/video_ext\.php$/;

/** Whether it belongs to YouTube, VK Видео or Rutube and is no player, such as the page of a channel. */
export function isVideoSitePage(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && videoSites.test(url.hostname) && !playerPaths.test(url.pathname) && !videoFile.test(address);
}

/** Video pages forbid framing, but their players allow it. */
const players: readonly (readonly [page: RegExp, player: (...found: string[]) => string])[] = [
  [/^(?:(?:www|m)\.)?youtube\.com\/embed\/(.+)/, (rest) => `https://www.youtube-nocookie.com/embed/${rest}`],
  [/^(?:(?:www|m)\.)?vk\.(?:com|ru)\/video_ext\.php(.+)/, (rest) => `https://vkvideo.ru/video_ext.php${rest}`],
  [
    /^(?:(?:www|m)\.)?(?:youtube\.com\/(?:watch\?(?:.*&)?v=|live\/|shorts\/)|youtu\.be\/)([\w-]{11})(?![\w-])/,
    (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  ],
  [
    /^(?:(?:www|m)\.)?(?:vkvideo\.ru|vk\.com|vk\.ru)\/(?!video_ext).*?(?:video|clip)(-?\d+)_(\d+)/,
    (owner, id) => `https://vkvideo.ru/video_ext.php?oid=${owner}&id=${id}`,
  ],
  [
    /^(?:(?:www|m)\.)?rutube\.ru\/(?:video|live\/video|shorts)\/(?:private\/)?([0-9a-f]{32})\/?(?:\?(?:.*&)?(p=[\w-]+))?/,
    (id, key) => `https://rutube.ru/play/embed/${id}/${key ? `?${key}` : ''}`,
  ],
];

/** Knows YouTube, VK Видео and Rutube; returns other addresses unchanged. */
export function playerOf(address: string): string {
  const page = address.replace(/^https?:\/\//, '');
  for (const [pattern, player] of players) {
    const found = pattern.exec(page);
    if (found) return player(...found.slice(1));
  }
  return address;
}

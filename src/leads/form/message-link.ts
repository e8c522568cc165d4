/** Their links take the text of a message. */
const hosts: readonly string[] = ['t.me', 'wa.me', 'api.whatsapp.com'];

/** The link of a messenger, with a message typed in where the messenger can do that. */
export function messageLink(href: string, message: string): string {
  const url = new URL(href);
  if (!hosts.includes(url.hostname)) return href;
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('text='));
  // A plus instead of a space would be shown.
  url.search = [...others, `text=${encodeURIComponent(message)}`].join('&');
  return url.href;
}

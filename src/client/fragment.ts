/**
 * DOMParser would apply this page's content security policy.
 *
 * @param dialog if there is one, the heading is its `h2`, because the page behind has an `h1`
 */
export function fragmentOf(html: string, dialog?: unknown): DocumentFragment {
  const innerHTML = dialog ? html.replace(/h1>/g, 'h2>') : html;
  return Object.assign(document.createElement('template'), { innerHTML }).content;
}

/**
 * DOMParser would apply this page's content security policy.
 *
 * @param inDialog makes the heading an `h2`, because the page behind the dialog has the `h1`
 */
export function fragmentOf(html: string, inDialog = false): DocumentFragment {
  const innerHTML = inDialog ? html.replace(/h1>/g, 'h2>') : html;
  return Object.assign(document.createElement('template'), { innerHTML }).content;
}

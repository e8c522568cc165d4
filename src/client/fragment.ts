/** DOMParser would apply this page's content security policy. */
export function fragmentOf(html: string): DocumentFragment {
  return Object.assign(document.createElement('template'), { innerHTML: html }).content;
}

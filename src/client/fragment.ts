/** A page as elements that belong to no document: one of its own would be judged by the policy of this one. */
export function fragmentOf(html: string): DocumentFragment {
  return Object.assign(document.createElement('template'), { innerHTML: html }).content;
}

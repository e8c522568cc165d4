/** For what the markup of this build has. It checks nothing, because each byte of a module is counted. */
export function select<T extends Element = HTMLElement>(root: ParentNode, selector: string): T {
  return root.querySelector(selector) as T;
}

/** @throws without constructable style sheets */
export function adopt(css: string): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
}

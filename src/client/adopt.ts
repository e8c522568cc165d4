/** Adds styles to the page, after all that it has. @throws where a script cannot make style sheets */
export function adopt(css: string): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
}

import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { layoutFaults, withOlderStyles, withStyle } from './layout.ts';

/** The browser settings of a reader. `textSize` is in CSS pixels, 16 by default. */
type Setting = { how: string; width: number; textSize?: number; css?: string };

/** WCAG 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

const settings: readonly Setting[] = [
  // WCAG 1.4.10: 1280 px at 400 %.
  { how: 'at 400 % zoom with wide spacing', width: 320, css: spacing },
  { how: 'as it is', width: 768 },
  { how: 'with wide spacing', width: 1280, css: spacing },
  { how: 'as it is', width: 1920 },
  // WCAG 1.4.4.
  ...[360, 768, 1280].map((width) => ({ how: 'with text of 200 %', width, textSize: 32 })),
  { how: 'with text of 200 % by a style of the reader', width: 360, css: 'html { font-size: 200% }' },
];

/** A sheet of A4, in CSS pixels. */
const paper = 794;

/** Buttons and fields that only a background shows. Forced colours remove backgrounds. */
const borderless = `[...document.querySelectorAll('button, .action, textarea, select, input:not([type=hidden], [type=checkbox], [type=radio])')]
  .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true]'))
  .filter((element) => {
    const { borderTopStyle, borderBottomStyle, borderBottomWidth, textDecorationLine } = getComputedStyle(element);
    const hasBorder = borderTopStyle !== 'none' && borderBottomStyle !== 'none' && parseFloat(borderBottomWidth) >= 1;
    return !hasBorder && textDecorationLine !== 'underline';
  })
  .map((element) => 'no border: ' + element.outerHTML.slice(0, 100))`;

/** Elements that do not show their focus. */
const unmarked = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((element) => {
  element.focus({ preventScroll: true });
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return document.activeElement === element && (outlineStyle === 'none' || parseFloat(outlineWidth) < 2);
}).map((element) => 'shows no focus: ' + element.outerHTML.slice(0, 100))`;

/** Tables that hide columns without a visible, focusable and named region to scroll. */
const hidingTables = `[...document.querySelectorAll('main table')].flatMap((table) => {
  const around = [];
  for (let one = table; one.localName !== 'main'; one = one.parentElement) around.push(one);
  const scrolling = around.filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1);
  const isShown = (one) => getComputedStyle(one).backgroundAttachment.includes('local')
    && one.tabIndex === 0 && one.hasAttribute('aria-label');
  const leaves = scrolling.length === 0
    && [...table.querySelectorAll('th, td')]
      .some((cell) => cell.parentElement.offsetWidth > 1 && cell.getBoundingClientRect().right > innerWidth);
  return leaves || !scrolling.every(isShown) ? ['hides a part of ' + table.textContent.trim().slice(0, 60)] : [];
})`;

/** Words of buttons that are broken over two lines. */
const brokenWords = `[...document.querySelectorAll('button, .action')].filter((control) => control.checkVisibility()).flatMap((control) => {
  const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (text.parentElement.offsetWidth <= 1) continue;
    for (const { index, 0: word } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push('breaks ' + word);
    }
  }
  return broken;
})`;

/** A link or a button to call, or to open or send the form. */
type Way = { aim: string; what: string; isSeen: boolean; isFolded: boolean };

const ways = `[...document.querySelectorAll('[href^="tel:"], [href*="/contact?"], [action="/contact"] [type=submit]')].map((one) => ({
  aim: one.matches('[href^="tel:"]') ? 'call' : 'send',
  what: one.outerHTML.slice(0, 100),
  isSeen: one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1,
  isFolded: one.closest('details:not([open])') !== null,
}))`;

/** Ways that neither a phone nor a wide window shows, and aims that only the window has a way to. */
function lostWays(onPhone: readonly Way[], inWindow: readonly Way[]): string[] {
  const unseen = onPhone.filter(({ isSeen, isFolded }, index) => !isSeen && !isFolded && !inWindow[index]?.isSeen);
  const aims = onPhone.flatMap(({ aim, isSeen }) => (isSeen ? aim : []));
  const lost = inWindow.filter(({ aim, isSeen }) => isSeen && !aims.includes(aim));
  return [...unseen.map(({ what }) => `never seen: ${what}`), ...lost.map(({ what }) => `not on a phone: ${what}`)];
}

/** Tables that stay folded on paper, and menus that paper shows. */
const lostOnPaper = `[...document.querySelectorAll('main table')].filter((table) => !table.checkVisibility())
  .map((table) => 'folded up: ' + table.textContent.trim().slice(0, 60))
  .concat([...document.querySelectorAll('.site-header nav, .burger')].filter((one) => one.checkVisibility()).map(() => 'a menu'))`;

/**
 * Returns the faults of a page in its present state: broken layout at any width, zoom and text size, findings of axe at
 * one width, and content that is lost on paper or in forced colours.
 *
 * @param existsAt whether the page has this state in a window of a width, in CSS pixels at a text size of 16
 */
export async function pageFaults(page: Page, existsAt: (width: number) => boolean = () => true): Promise<string[]> {
  const tools = await page.context().newCDPSession(page);
  const faults: string[] = [];
  const root = (await page.locator('dialog[open]').count()) > 0 ? 'dialog' : 'body';
  const look = async (script: string) => (await page.evaluate(script)) as string[];
  const note = (where: string, found: readonly string[]) => faults.push(...found.map((fault) => `${where}: ${fault}`));
  const resize = async (width: number, textSize = 16) => {
    await page.setViewportSize({ width, height: 800 });
    await tools.send('Page.setFontSizes', { fontSizes: { standard: textSize, fixed: textSize } });
  };
  for (const { how, width, textSize = 16, css = '' } of settings) {
    if (!existsAt((width * 16) / textSize)) continue;
    await resize(width, textSize);
    note(`${how} at ${width}`, await withStyle(page, css, () => layoutFaults(page, root)));
  }
  let onPhone: Way[] | undefined;
  if (existsAt(360)) {
    await resize(360);
    onPhone = await page.evaluate(ways);
    note('at 360', [...(await look(hidingTables)), ...(await look(brokenWords))]);
    note('in a browser of 2020', await withOlderStyles(page, () => layoutFaults(page, root)));
  }
  await resize(existsAt(1280) ? 1280 : 360);
  if (onPhone && existsAt(1280)) note('at 360', lostWays(onPhone, await page.evaluate(ways)));
  note('axe', await axeFindings(page));
  if (root === 'body') {
    await page.emulateMedia({ media: 'print' });
    await resize(paper);
    note('on paper', [...(await look(lostOnPaper)), ...(await layoutFaults(page))]);
    await page.emulateMedia({ media: 'screen' });
  }
  await resize(existsAt(1280) ? 1280 : 360);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  // Browsers show a focus that a script sets only after a key press.
  await page.keyboard.press('Tab');
  note('in forced colours', [...(await look(borderless)), ...(await look(unmarked))]);
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  return faults;
}

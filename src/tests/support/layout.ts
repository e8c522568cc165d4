import type { Page } from 'playwright-core';
import { olderCss } from './old-webview.ts';

/** A string, because it runs in the page, which does not share the types of the tests. */
const lookForFaults = `(rootSelector) => {
  const root = document.querySelector(rootSelector);
  const faults = [];
  const name = (element) => {
    const { localName, className, parentElement } = element;
    return (parentElement ? parentElement.localName + '.' + parentElement.className + ' > ' : '') + localName + '.' + className;
  };
  const excess = document.documentElement.scrollWidth - innerWidth;
  if (excess > 0) faults.push('the page scrolls sideways by ' + excess + ' px');

  /** Returns the first answer for an element or its ancestors; asks about each element once. */
  const upwards = (ask) => {
    const known = new Map();
    const look = (one) => {
      if (!one || one === document.body) return undefined;
      if (!known.has(one)) known.set(one, ask(one, getComputedStyle(one)) ?? look(one.parentElement));
      return known.get(one);
    };
    return look;
  };
  /** Folded up, transparent, or for screen readers only: a pixel, at most. */
  const isUnseen = upwards((one, { overflow, opacity, visibility }) => {
    const { parentElement: list } = one;
    const folded = list && list.localName === 'details' && !list.open && one.localName !== 'summary';
    const pixel = overflow === 'hidden' && one.offsetWidth <= 1 && one.offsetHeight <= 1;
    return opacity === '0' || visibility === 'hidden' || folded || pixel || undefined;
  });
  const scrolls = upwards((one, { overflowX }) => /auto|scroll/.test(overflowX) || undefined);
  /** The layer of an element that covers others on purpose; boxes are compared within one layer. */
  const layerOf = upwards((one, { position, zIndex }) => {
    const over = one.localName === 'dialog' || position === 'fixed' || (position !== 'static' && zIndex !== 'auto');
    // An open list of the menu covers the content below.
    return over || (position === 'absolute' && one.closest('details')) ? one : undefined;
  });

  const boxes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!text.data.trim() || /^(style|script|textarea|option)$/.test(text.parentElement.localName)) continue;
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (rects.length === 0 || isUnseen(text.parentElement)) continue;
    for (const { left, right, top, bottom, height } of rects) {
      // Lines may overlap slightly, because letters fill only the middle of their box.
      boxes.push({ what: text.data.trim().slice(0, 40), element: text.parentElement, left, right, top: top + height / 4, bottom: bottom - height / 4 });
    }
  }
  for (const element of root.querySelectorAll('input:not([type=hidden]), textarea, select, button, img, svg, video, iframe, .action')) {
    if (element.closest('svg') !== element && element.closest('svg')) continue;
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    if (width > 1 && height > 1 && !isUnseen(element) && !element.closest('[aria-hidden=true]')) {
      boxes.push({ what: name(element), element, left, right, top, bottom });
    }
  }
  for (const { what, element, left, right } of boxes) {
    if ((right > innerWidth + 1 || left < -1) && !scrolls(element)) faults.push('leaves the window: ' + what);
  }

  for (const box of boxes) box.layer = layerOf(box.element) ?? root;
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, index) => {
    for (let other = index + 1; other < boxes.length; other++) {
      const b = boxes[other];
      if (b.top > a.bottom - 2) break;
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - b.top > 2) {
        faults.push('overlap: ' + a.what + ' | ' + b.what);
      }
    }
  });

  for (const element of root.querySelectorAll('*')) {
    const { overflowX, overflowY } = getComputedStyle(element);
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
    if (clientWidth <= 1 || clientHeight <= 1 || !element.textContent.trim() || isUnseen(element)) continue;
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    if ((hides(overflowX) && scrollWidth > clientWidth + 1) || (hides(overflowY) && scrollHeight > clientHeight + 1)) {
      faults.push('cuts off what is in it: ' + name(element));
    }
  }
  return [...new Set(faults)];
}`;

/**
 * Returns the layout faults of a page: it scrolls sideways, or an element leaves the window,
 * overlaps another or is cut off. Content may leave the window inside a scrolling region.
 *
 * @param root selector of the part to check, such as the dialog over the page
 */
export async function layoutFaults(page: Page, root = 'body'): Promise<string[]> {
  return (await page.evaluate(`(${lookForFaults})(${JSON.stringify(root)})`)) as string[];
}

/**
 * Returns the layout shifts since the page began to load, with their values.
 *
 * @param root selector of the part to check
 */
export async function layoutShifts(page: Page, root = 'html'): Promise<{ value: number; moved: string[] }[]> {
  return (await page.evaluate(`new Promise((resolve) => {
    const shifts = [];
    const whole = document.querySelector(${JSON.stringify(root)});
    const inside = (node) => !node || whole.contains(node);
    const name = (node) => node?.className ?? node?.parentElement?.className ?? 'what is gone';
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        const nodes = sources.map(({ node }) => node);
        if (nodes.length === 0 || nodes.some(inside)) shifts.push({ value, moved: nodes.filter(inside).map(name) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
  })`)) as { value: number; moved: string[] }[];
}

/** Looks at a page with a style sheet that its CSP cannot block. */
export async function withStyle<T>(page: Page, css: string, look: () => Promise<T>): Promise<T> {
  await page.evaluate(`{
    window.added = new CSSStyleSheet();
    added.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets.push(added);
  }`);
  const seen = await look();
  await page.evaluate('document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== added)');
  return seen;
}

/** Looks at a page with only those CSS rules that a browser of 2020 supports. */
export async function withOlderStyles<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const css = String(await page.evaluate(`document.querySelector('head style')?.textContent ?? ''`));
  await page.evaluate('for (const sheet of document.styleSheets) sheet.disabled = true');
  const seen = await withStyle(page, olderCss(css), look);
  await page.evaluate('for (const sheet of document.styleSheets) sheet.disabled = false');
  return seen;
}

import type { Browser } from 'playwright-core';
import { firefox } from 'playwright-firefox';
import { browserHeaders } from './ask.ts';
import { eventually } from './eventually.ts';
import { launchBrowser, withSystemFonts } from './launch-browser.ts';
import { type Program, requirePath } from './programs.ts';
import { startWebKit } from './webkit.ts';

/** The only page of a browser, and what tests do in it. The page evaluates expressions as JavaScript. */
export type Tab = {
  /** Opens an address and waits until the page has loaded. */
  open(url: string): Promise<void>;
  /** Sets the width of the page; its height depends on the browser. */
  resize(width: number): Promise<void>;
  see(expression: string): Promise<unknown>;
  /** Does not wait for a navigation. */
  press(selector: string): Promise<void>;
  point(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  key(name: 'Escape' | 'Enter'): Promise<void>;
  /** Closes the browser. */
  stop(): Promise<void>;
};

/** `start` opens a tab with reduced motion. */
type Engine = { name: string; programs: readonly Program[]; start(): Promise<Tab> };

/** The browsers of Debian, because tests download nothing. */
export const engines: readonly Engine[] = [
  { name: 'Chromium', programs: ['chromium'], start: async () => tabOf(await launchChromium()) },
  { name: 'Firefox', programs: ['firefox-esr'], start: async () => tabOf(await launchFirefox()) },
  { name: 'WebKit', programs: ['MiniBrowser', 'WebKitWebDriver', 'Xvfb'], start: startWebKit },
];

/** Waits until a page has the wanted value; during a navigation it may not answer. */
export function until(tab: Tab, expression: string, wanted: unknown = true): Promise<void> {
  return eventually(() => tab.see(expression).catch(String), wanted, expression);
}

/** With scrollbars that take up space, as on most desktops. */
function launchChromium(): Promise<Browser> {
  return launchBrowser({ whole: true, without: ['--hide-scrollbars'] });
}

function launchFirefox(): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: requirePath('firefox-esr'),
    env: withSystemFonts,
    firefoxUserPrefs: {
      // Playwright cannot set these in this Firefox.
      'ui.prefersReducedMotion': 1,
      'widget.gtk.overlay-scrollbars.enabled': false,
    },
  }) as Promise<Browser>;
}

/** Wraps a browser that Playwright drives. */
async function tabOf(browser: Browser): Promise<Tab> {
  const isChromium = browser.browserType().name() === 'chromium';
  // A headless Chromium identifies itself as headless, and bots get errors as a line of text.
  const page = await browser.newPage(
    isChromium ? { userAgent: browserHeaders['user-agent'], reducedMotion: 'reduce' } : {},
  );
  const first = (selector: string) => page.locator(selector).first();
  return {
    open: async (url) => void (await page.goto(url)),
    resize: (width) => page.setViewportSize({ width, height: 800 }),
    see: (expression) => page.evaluate(expression),
    press: (selector) => first(selector).click({ noWaitAfter: true }),
    point: (selector) => first(selector).hover(),
    type: (selector, text) => first(selector).fill(text),
    key: (name) => page.keyboard.press(name),
    stop: () => browser.close(),
  };
}

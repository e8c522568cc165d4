import type { Browser } from 'playwright-core';
import { firefox } from 'playwright-firefox';
import { browserHeaders } from './ask.ts';
import { eventually } from './eventually.ts';
import { launchBrowser, withSystemFonts } from './launch-browser.ts';
import { type Program, requirePath } from './programs.ts';
import { startWebKit } from './webkit.ts';

/** The one page of some browser, and what walks do in it. Expressions are JavaScript that the page evaluates. */
export type Tab = {
  /** Opens an address, and waits until its page is there. */
  open(url: string): Promise<void>;
  /** Width of the page; browsers differ in what else they show, and so in its height. */
  resize(width: number): Promise<void>;
  see(expression: string): Promise<unknown>;
  /** Waits for nothing that the press may lead to. */
  press(selector: string): Promise<void>;
  point(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  key(name: 'Escape' | 'Enter'): Promise<void>;
  /** Ends the browser. */
  stop(): Promise<void>;
};

/** `start` gives a visitor for whom motion is unwelcome. */
type Engine = { name: string; programs: readonly Program[]; start(): Promise<Tab> };

/** All that visitors may come with: Debian's browsers; nothing is downloaded. */
export const engines: readonly Engine[] = [
  { name: 'Chromium', programs: ['chromium'], start: async () => tabOf(await launchChromium()) },
  { name: 'Firefox', programs: ['firefox-esr'], start: async () => tabOf(await launchFirefox()) },
  { name: 'WebKit', programs: ['MiniBrowser', 'WebKitWebDriver', 'Xvfb'], start: startWebKit },
];

/** Waits until a page shows what it should; on its way to another one it may answer nothing. */
export function until(tab: Tab, expression: string, wanted: unknown = true): Promise<void> {
  return eventually(() => tab.see(expression).catch(String), wanted, expression);
}

/** With scrollbars that take room, as on most desktops. */
function launchChromium(): Promise<Browser> {
  return launchBrowser({ whole: true, without: ['--hide-scrollbars'] });
}

function launchFirefox(): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: requirePath('firefox-esr'),
    env: withSystemFonts,
    firefoxUserPrefs: {
      // Stand in for what Playwright cannot ask of this Firefox.
      'ui.prefersReducedMotion': 1,
      'widget.gtk.overlay-scrollbars.enabled': false,
    },
  }) as Promise<Browser>;
}

/** Of a browser that Playwright drives. */
async function tabOf(browser: Browser): Promise<Tab> {
  const isChromium = browser.browserType().name() === 'chromium';
  // A headless Chromium calls itself one, and bots get errors as a line of text.
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

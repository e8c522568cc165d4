import type { Browser, Page } from 'playwright-core';
import { firefox } from 'playwright-firefox';
import { browserHeaders } from './ask.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { eventually } from './eventually.ts';
import { startWebKit, webKitPath } from './webkit.ts';

/** A page in some browser, and what walks do in it. Expressions are JavaScript that the page evaluates. */
export type Tab = {
  /** Opens an address, and waits until its page is there. */
  open(url: string): Promise<void>;
  see(expression: string): Promise<unknown>;
  /** Waits for nothing that the press may lead to. */
  press(selector: string): Promise<void>;
  point(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  key(name: 'Escape' | 'Tab' | 'Enter'): Promise<void>;
};

/** Width of the page; browsers differ in what else they show, and so in its height. */
export type TabOptions = { width?: number };

export type RunningEngine = {
  /** A tab of a visitor who was never here, for whom motion is unwelcome; it closes the one before. */
  newTab(options?: TabOptions): Promise<Tab>;
  stop(): Promise<void>;
};

export type Engine = { name: string; programs: readonly string[]; start(): Promise<RunningEngine> };

const firefoxPath = '/usr/bin/firefox-esr';

/** All that visitors may come with: Debian's browsers; nothing is downloaded. */
export const engines: readonly Engine[] = [
  { name: 'Chromium', programs: [chromiumPath], start: async () => driven(await launchChromium()) },
  { name: 'Firefox', programs: [firefoxPath], start: async () => driven(await launchFirefox()) },
  { name: 'WebKit', programs: [webKitPath, 'WebKitWebDriver', 'Xvfb'], start: startWebKit },
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
    executablePath: firefoxPath,
    firefoxUserPrefs: {
      // Stand in for what Playwright cannot ask of this Firefox.
      'ui.prefersReducedMotion': 1,
      'widget.gtk.overlay-scrollbars.enabled': false,
    },
  }) as Promise<Browser>;
}

/** A browser that Playwright drives. */
function driven(browser: Browser): RunningEngine {
  return {
    async newTab({ width = 1280 } = {}) {
      await Promise.all(browser.contexts().map((context) => context.close()));
      const chromium = browser.browserType().name() === 'chromium';
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        // A headless Chromium calls itself one, and bots get errors as a line of text.
        ...(chromium && { userAgent: browserHeaders['user-agent'], reducedMotion: 'reduce' }),
      });
      return tabOf(await context.newPage());
    },
    stop: () => browser.close(),
  };
}

function tabOf(page: Page): Tab {
  return {
    open: async (url) => void (await page.goto(url)),
    see: (expression) => page.evaluate(expression),
    press: (selector) => page.locator(selector).first().click({ noWaitAfter: true }),
    point: (selector) => page.locator(selector).first().hover(),
    type: (selector, text) => page.locator(selector).first().fill(text),
    key: (name) => page.keyboard.press(name),
  };
}

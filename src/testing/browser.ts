import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; nothing is downloaded. */
export const chromiumPath = '/usr/bin/chromium';

/** The same without all that belongs to a window: a visit costs less than half. It keeps no pages to go back to. */
const shellPath = '/usr/bin/chromium-headless-shell';

export type LaunchOptions = {
  /** With all that belongs to a window: for going back. */
  whole?: boolean;
  /** Options that Playwright gives Chromium and the test does without, for a browser that is more like a visitor's. */
  without?: string[];
};

/** Starts Chromium without a window; without its sandbox, because containers run tests as root. */
export function launchBrowser({ whole = false, without = [] }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: !whole && existsSync(shellPath) ? shellPath : chromiumPath,
    ignoreDefaultArgs: without,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Most of what a visit costs here is starting processes.
      '--in-process-gpu',
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

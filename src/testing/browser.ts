import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; nothing is downloaded. */
export const chromiumPath = '/usr/bin/chromium';

/** Starts Chromium without a window; without its sandbox, because containers run tests as root. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

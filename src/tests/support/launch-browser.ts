import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { pathOf, requirePath, unpackedChromium } from './programs.ts';

export type LaunchOptions = {
  /** Prefers a whole browser to the headless shell. It has a back/forward cache, but a visit takes twice as long. */
  whole?: boolean;
  /** Default arguments of Playwright to leave out, for a more realistic browser. */
  without?: string[];
};

/** Starts a headless Chromium. It has no sandbox, because containers run tests as root. */
export function launchBrowser({ whole = false, without = [] }: LaunchOptions = {}): Promise<Browser> {
  const executablePath = (whole && pathOf('chromium')) || requirePath('browser');
  return chromium.launch({
    executablePath,
    env: environmentOf(executablePath),
    ignoreDefaultArgs: without,
    args: [
      ...quietBrowser,
      // Most of the cost of a visit here is starting processes.
      '--in-process-gpu',
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
    ],
  });
}

const quietBrowser = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Tests hide the system's fonts from this process. Chromium crashes without a font. */
export const withSystemFonts: NodeJS.ProcessEnv = { ...process.env, FONTCONFIG_FILE: undefined };

/** The Chromium from npm brings the libraries and fonts that a bare system lacks. */
function environmentOf(executablePath: string): NodeJS.ProcessEnv {
  if (dirname(executablePath) !== unpackedChromium) return withSystemFonts;
  return {
    ...process.env,
    LD_LIBRARY_PATH: join(unpackedChromium, 'al2023/lib'),
    FONTCONFIG_FILE: join(unpackedChromium, 'fonts/fonts.conf'),
  };
}

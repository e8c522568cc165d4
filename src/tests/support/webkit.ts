import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { atEnd } from './at-end.ts';
import type { Tab } from './engines.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { withSystemFonts } from './launch-browser.ts';
import { requirePath } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Names from WebDriver. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const keys = { Escape: '\ue00c', Enter: '\ue007' };

const commandTimeoutMs = 60_000;
/** About one browser in sixty never connects to the driver, so a start is retried. */
const startTimeoutMs = 20_000;

/** Starts WebKit through plain WebDriver on a virtual screen. */
export async function startWebKit(): Promise<Tab> {
  const folder = temporaryFolder();
  const settings = join(folder, 'gtk-3.0');
  mkdirSync(settings);
  writeFileSync(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\ngtk-overlay-scrolling=0\n');
  // Its toolbar would keep the window as wide as a tablet.
  writeFileSync(join(settings, 'gtk.css'), '* { min-width: 0; margin: 0; padding: 0 }');
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(screen.stdio[3] as Readable, 'data');
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...withSystemFonts, DISPLAY: `:${String(display).trim()}`, XDG_CONFIG_HOME: folder },
  });
  // Also if no browser starts.
  for (const child of [screen, driver]) atEnd(() => child.kill());

  async function ask(method: string, path: string, body?: object, timeoutMs = commandTimeoutMs): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  }

  const alwaysMatch = {
    pageLoadStrategy: 'none',
    'webkitgtk:browserOptions': { binary: requirePath('MiniBrowser'), args: ['--automation'] },
  };
  let session = '';
  await eventually(async () => {
    const made = await ask('POST', '/session', { capabilities: { alwaysMatch } }, startTimeoutMs).catch(
      () => undefined,
    );
    session = `/session/${(made as { sessionId: string } | undefined)?.sessionId ?? ''}`;
    return made !== undefined;
  });
  return {
    ...tabOf((path, body) => ask('POST', session + path, body)),
    async stop() {
      await ask('DELETE', session);
      await Promise.all([driver, screen].map(ended));
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

function tabOf(post: (path: string, body: object) => Promise<unknown>): Omit<Tab, 'stop'> {
  const run = (script: string, ...args: unknown[]) => post('/execute/sync', { script, args });
  const see: Tab['see'] = (expression) => run(`return (${expression})`);
  /** Returns the first visible element, scrolled to the middle of the window. */
  async function find(selector: string): Promise<Record<string, string>> {
    let found: unknown;
    const script = `
      const found = [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility());
      if (found) found.scrollIntoView({ block: 'center', behavior: 'instant' });
      return found;`;
    await eventually(
      async () => {
        found = await run(script, selector).catch(() => undefined);
        return Boolean(found);
      },
      true,
      `an element ${selector}`,
    );
    return found as Record<string, string>;
  }
  async function moveTo(selector: string, ...then: object[]): Promise<void> {
    const move = { type: 'pointerMove', origin: await find(selector), x: 0, y: 0 };
    const mouse = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [move, ...then] };
    await post('/actions', { actions: [mouse] });
  }
  return {
    async open(url) {
      await see('window.left = true');
      await post('/url', { url });
      await eventually(() => see(`!window.left && document.readyState === 'complete'`).catch(String), true, url);
    },
    async resize(width) {
      await post('/window/rect', { width, height: 840 });
      await eventually(() => see('innerWidth'), width, 'the width of the window');
    },
    see,
    press: (selector) => moveTo(selector, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }),
    point: (selector) => moveTo(selector),
    async type(selector, text) {
      const element = (await find(selector))[elementKey];
      await post(`/element/${element}/clear`, {});
      await post(`/element/${element}/value`, { text });
    },
    async key(name) {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: keys[name] }));
      await post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserHeaders } from './ask.ts';
import { atEnd } from './at-end.ts';
import { environmentOf, quietBrowser } from './launch-browser.ts';
import { requirePath } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Message = {
  id?: number;
  method?: string;
  params?: { sessionId: string; targetInfo: { type: string } };
  result?: { result?: { value: unknown } };
  error?: { message: string };
};

export type Tab = {
  /** Sends a command of the DevTools protocol to the first page. */
  send(method: string, params?: object): Promise<unknown>;
  /** Evaluates an expression in the page with this number: 1 is the first that the tab renders in advance. */
  evaluate(page: number, expression: string): Promise<unknown>;
};

/**
 * Starts Chromium with one tab. Playwright controls a page instead of its tab, and Chromium then renders no page in
 * advance. No third party is resolved.
 */
export async function openTab(): Promise<Tab> {
  const path = requirePath('browser');
  const browser = spawn(
    path,
    [
      ...[...quietBrowser, '--headless', '--remote-debugging-port=0', `--user-data-dir=${temporaryFolder()}`],
      ...['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', `--user-agent=${browserHeaders['user-agent']}`],
      ...['--window-size=1280,800', 'about:blank'],
    ],
    { env: environmentOf(path), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const socket = new WebSocket(await debuggerAddress(browser.stderr));
  await once(socket, 'open');

  const pages: string[] = [];
  const waiting = new Map<number, (answer: Message) => void>();
  async function ask(method: string, params: object, sessionId?: string): Promise<Message['result']> {
    const id = waiting.size + 1;
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    // Chromium never answers a page that navigates meanwhile.
    const lost = sleep(10_000, { error: { message: 'no answer' } }, { ref: false });
    const { result, error }: Message = await Promise.race([promise, lost]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  atEnd(async () => {
    const exit = once(browser, 'exit');
    // It may exit before it answers.
    await ask('Browser.close', {}).catch(() => browser.kill('SIGKILL'));
    await exit;
    socket.close();
  });
  const attach = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
  const firstPage = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(data);
    if (message.id !== undefined) return waiting.get(message.id)?.(message);
    if (message.method !== 'Target.attachedToTarget' || !message.params) return;
    const { sessionId, targetInfo } = message.params;
    if (targetInfo.type === 'tab') return void ask('Target.setAutoAttach', attach, sessionId);
    pages.push(sessionId);
    firstPage.resolve();
  });
  await ask('Target.setAutoAttach', { ...attach, filter: [{ type: 'tab' }] });
  await firstPage.promise;
  return {
    send: (method, params = {}) => ask(method, params, pages[0]),
    evaluate: async (page, expression) =>
      (await ask('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true }, pages[page]))?.result
        ?.value,
  };
}

async function debuggerAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stderr)) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('The browser did not start.');
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { asForm, ask } from '../../src/testing/ask.ts';

/** Milliseconds; infinite for refused requests. */
export type Waits = { pages: number[]; forms: number[] };

export type Visitors = Disposable & {
  during(happening: () => Promise<unknown>): Promise<Waits>;
};

/** A steady rate, from a separate process. @param forms whether some send the form */
export function startVisitors(port: number, paths: readonly string[], forms: boolean): Visitors {
  const child = fork(import.meta.filename, [String(port), String(forms), ...paths], { serialization: 'advanced' });
  return {
    async during(happening) {
      child.send('begin');
      await happening();
      child.send('end');
      return (await once(child, 'message'))[0];
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

const perSecond = { pages: 200, forms: 40 };

function visit(port: number, forms: boolean, paths: readonly string[]): void {
  const agent = new Agent({ keepAlive: true });
  let waits: Record<keyof Waits, Promise<number>[]> = { pages: [], forms: [] };
  let number = 0;

  async function wait(status: number, path: string, form?: Record<string, string>): Promise<number> {
    number += 1;
    const from = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    const options = { agent, headers: { 'accept-encoding': 'br', 'x-forwarded-for': from } };
    const begun = performance.now();
    const answer = await ask(port, path, form ? asForm(form, options) : options).catch(() => undefined);
    return answer?.status === status ? performance.now() - begun : Number.POSITIVE_INFINITY;
  }

  setInterval(() => waits.pages.push(wait(200, paths[number % paths.length] ?? '/')), 1_000 / perSecond.pages);
  if (forms) {
    const form = { preset: 'request', name: 'Анна', message: 'Сколько стоит короб?', consent: 'yes' };
    const phone = () => `8 916 ${1_000_000 + number}`;
    setInterval(() => waits.forms.push(wait(303, '/contact', { ...form, phone: phone() })), 1_000 / perSecond.forms);
  }
  process.on('message', async (message) => {
    const asked = waits;
    waits = { pages: [], forms: [] };
    if (message === 'begin') return;
    process.send?.({ pages: await Promise.all(asked.pages), forms: await Promise.all(asked.forms) });
  });
  process.on('disconnect', () => process.exit());
}

if (import.meta.main) {
  const [port, forms, ...paths] = process.argv.slice(2);
  visit(Number(port), forms === 'true', paths);
}

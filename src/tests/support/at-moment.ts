import { jest } from '@jest/globals';

/** Functions that stay real, so that timers run while the clock is fake. */
const notTheClock = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** Runs a function at another time and returns its result. @param now milliseconds since 1970 */
export async function atMoment<T>(now: number, done: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now, doNotFake: notTheClock });
  try {
    return await done();
  } finally {
    jest.useRealTimers();
  }
}

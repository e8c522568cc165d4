import { jest } from '@jest/globals';

/** Of a fake clock, all that waits goes on as ever. */
const notTheClock = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** What comes of something that is done at another moment. @param now milliseconds since 1970 */
export async function atMoment<T>(now: number, done: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now, doNotFake: notTheClock });
  try {
    return await done();
  } finally {
    jest.useRealTimers();
  }
}

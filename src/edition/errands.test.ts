import { expect, test } from '@jest/globals';
import { errands, pictureMaker } from './errands.ts';

test('a command that fails says what it said', async () => {
  const errand = errands(new AbortController().signal);
  await expect(errand('no-such-command')).rejects.toThrow('There is no command "no-such-command".');
  await expect(errand('picture', '/--help')).rejects.toThrow(/./);
});

test('what runs ends when the server is about to', async () => {
  const stopping = new AbortController();
  const running = errands(stopping.signal)('publish');
  stopping.abort();
  await expect(running).rejects.toThrow(/./);
});

test('a picture is made once for all who ask, one picture at a time, and no more than a few wait', async () => {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const make = pictureMaker((path) => {
    begun.push(path);
    return new Promise((resolve) => finish.push(resolve));
  });
  const first = [make('/a.png'), make('/a.png')];
  const others = Array.from({ length: 20 }, (_, number) => make(`/${number}.png`));
  await new Promise(setImmediate);
  expect(begun).toEqual(['/a.png']);
  // Those who are too many are told so at once.
  await Promise.all(others.slice(8));
  finish[0]?.();
  await Promise.all(first);
  await new Promise(setImmediate);
  expect(begun).toEqual(['/a.png', '/0.png']);
  for (let number = 1; number < 8; number++) {
    finish[number]?.();
    await new Promise(setImmediate);
  }
  await Promise.all(others);
  expect(begun).toHaveLength(8);
});

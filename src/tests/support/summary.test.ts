import { describe, expect, test } from '@jest/globals';
import { lastLine, skippedLines } from '../../../scripts/jest-reporter.ts';

describe('the summary of a test run', () => {
  test('lists skipped tests by their missing programs, with one command that installs all programs', () => {
    const skipped = new Map([
      ['nginx, openssl', 22],
      ['browser', 160],
      ['root', 1],
      ['chromium', 2],
    ]);
    expect(skippedLines(skipped)).toEqual([
      'Skipped, because this machine lacks:',
      '   160  browser',
      '     2  chromium',
      '    22  nginx, openssl',
      '     1  root',
      'To run them too: sudo apt-get install chromium nginx openssl',
      '',
    ]);
  });

  test('does not mention skipped tests when all ran', () => {
    expect(skippedLines(new Map())).toEqual([]);
  });

  const results = { numPassedTests: 10, numFailedTests: 1, numRuntimeErrorTestSuites: 1, numPendingTests: 5 };

  test('ends with a line that counts a suite that could not run as a failure', () => {
    expect(lastLine(results, 0)).toBe('10 passed, 2 failed, 5 skipped');
  });

  test('counts skipped tests as failed where every program is required', () => {
    expect(lastLine(results, 5)).toBe('10 passed, 7 failed');
  });
});

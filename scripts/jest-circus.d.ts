/** A module of CommonJS that was written as one of ES. */
declare module 'jest-circus/runner' {
  import type { TestResult } from '@jest/test-result';

  const runner: { default(...given: unknown[]): Promise<TestResult> };
  export default runner;
}

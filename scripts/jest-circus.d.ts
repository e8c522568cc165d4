/** A CommonJS module that was compiled from an ES module. */
declare module 'jest-circus/runner' {
  import type { TestResult } from '@jest/test-result';

  const runner: {
    default(
      globalConfig: unknown,
      projectConfig: unknown,
      environment: { global: typeof globalThis },
      ...rest: unknown[]
    ): Promise<TestResult>;
  };
  export default runner;
}

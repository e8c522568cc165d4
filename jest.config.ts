import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

// As in production: the development build of React renders several times slower.
process.env.NODE_ENV = 'production';

const config: Config = {
  rootDir: 'src',
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.njk', '.css'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json', 'node'],
  testMatch: ['<rootDir>/**/*.test.{ts,tsx}'],
  testEnvironment: 'node',
  transform: { '\\.(tsx?|njk|css)$': '<rootDir>/../scripts/jest-transform.ts' },
  globalSetup: '<rootDir>/../scripts/jest-build.ts',
  setupFilesAfterEnv: ['<rootDir>/testing/second-try.ts'],
  reporters: ['default', '<rootDir>/../scripts/jest-reporter.ts'],
  testTimeout: 30_000,
  // Tests of whole processes mostly wait; one worker more than there are cores makes use of that.
  maxWorkers: availableParallelism() + 1,
};

export default config;

import type { Config } from 'jest';

const config: Config = {
  rootDir: 'src',
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.njk', '.css'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json', 'node'],
  testMatch: ['<rootDir>/**/*.test.{ts,tsx}'],
  testEnvironment: 'node',
  transform: { '\\.(tsx?|njk|css)$': '<rootDir>/../scripts/jest-transform.ts' },
  reporters: ['default', '<rootDir>/../scripts/jest-reporter.ts'],
  testTimeout: 30_000,
  // Tests of whole processes mostly wait; one worker for each core makes use of that.
  maxWorkers: '100%',
};

export default config;

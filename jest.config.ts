import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

// As in production: the development build of React renders several times slower.
process.env.NODE_ENV = 'production';

const lane = (displayName: string, testMatch: string, ...testPathIgnorePatterns: string[]) => ({
  displayName,
  rootDir: 'src',
  testMatch: [`<rootDir>/**/${testMatch}`],
  testPathIgnorePatterns,
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.njk', '.css'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json', 'node'],
  testEnvironment: 'node',
  testRunner: '<rootDir>/../scripts/jest-runner.ts',
  transform: { '\\.(tsx?|njk|css)$': '<rootDir>/../scripts/jest-transform.ts' },
  globalSetup: '<rootDir>/../scripts/jest-build.ts',
});

const config: Config = {
  projects: [
    // Nothing is started.
    lane('quick', '*.test.{ts,tsx}', '\\.(?:system|slow)\\.test\\.'),
    // The application, another server, a process, nginx, a database, Chromium.
    lane('system', '*.system.test.{ts,tsx}'),
    // Other browsers, kills, drips, replicas, damage.
    lane('slow', '*.slow.test.ts'),
  ],
  reporters: ['default', '<rootDir>/scripts/jest-reporter.ts'],
  testTimeout: 30_000,
  // Tests of whole processes mostly wait; one worker more than there are cores makes use of that.
  maxWorkers: availableParallelism() + 1,
};

export default config;

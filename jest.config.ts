import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from 'jest';

// As in production: the development build of React renders several times slower.
process.env.NODE_ENV = 'production';
// As lib/sharp.ts does: Jest gives tests a copy of the environment, which native libraries do not see.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'dist/fonts.conf');

// Neither UTC nor the company's zone, so that a date that depends on the zone of the server fails a test.
process.env.TZ = 'Pacific/Kiritimati';
// One seed a day, so that a failed property fails again; its report names the seed.
process.env.PROPERTY_SEED ??= new Date().toISOString().slice(0, 10).replaceAll('-', '');

const suite = (displayName: string, testMatch: string, ...testPathIgnorePatterns: string[]) => ({
  displayName,
  rootDir: 'src',
  testMatch: [`<rootDir>/**/${testMatch}`],
  testPathIgnorePatterns,
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.njk', '.css', '.svg'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json', 'node'],
  testEnvironment: 'node',
  testRunner: '<rootDir>/../scripts/jest-runner.ts',
  transform: { '\\.(tsx?|njk|css|svg)$': '<rootDir>/../scripts/jest-transform.ts' },
  globalSetup: '<rootDir>/../scripts/jest-build.ts',
  setupFiles: ['<rootDir>/tests/support/seed-properties.ts'],
});

const config: Config = {
  projects: [
    // Starts nothing.
    suite('quick', '*.test.{ts,tsx}', '\\.(?:system|slow)\\.test\\.'),
    // Starts the application, another server, a process, nginx, a database or Chromium.
    suite('system', '*.system.test.{ts,tsx}'),
    // Other browsers, kills, slow connections, replicas, damage.
    suite('slow', '*.slow.test.ts'),
  ],
  testSequencer: '<rootDir>/scripts/jest-sequencer.ts',
  reporters: ['default', '<rootDir>/scripts/jest-reporter.ts'],
  // Ends a test that hangs. No test waits this long by design, however busy the machine is.
  testTimeout: 180_000,
  // Tests of whole processes mostly wait, so one more worker than cores keeps the cores busy.
  maxWorkers: availableParallelism() + 1,
};

export default config;

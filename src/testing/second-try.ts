import { expect, jest } from '@jest/globals';

// A browser on a busy machine may paint, load or give the focus later than any test foresees. What fails twice is broken;
// what fails once is named at the end of the run. Everything else has to succeed at the first try.
if (expect.getState().testPath?.includes('/browser-tests/')) jest.retryTimes(1, { logErrorsBeforeRetry: true });

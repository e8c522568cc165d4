import { expect } from '@jest/globals';
import { pageFaults } from '../support/page-faults.ts';
import { withStates } from '../support/states.ts';
import { testIf } from '../support/test-if.ts';

const browserTest = testIf({ programs: ['browser'] });
const { front, newPage, states } = withStates();

browserTest.each(states)('the $name can be read at every width, zoom, text size and contrast', async (state) => {
  if (state.bare) {
    front().intercept((req, _res, pass) => {
      if (req.url?.startsWith('/assets/')) req.destroy();
      else pass();
    });
  }
  const page = await newPage({ reducedMotion: 'reduce' });
  const { from = 0, below = Number.POSITIVE_INFINITY } = state.widths ?? {};
  const existsAt = (width: number) => width >= from && width < below;
  await page.setViewportSize({ width: existsAt(320) ? 320 : 1280, height: 800 });
  await state.reach(page);
  expect(await pageFaults(page, existsAt)).toEqual([]);
});

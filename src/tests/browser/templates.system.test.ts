import { expect } from '@jest/globals';
import { axeFindings } from '../support/axe.ts';
import { pageFaults } from '../support/page-faults.ts';
import { pageTemplates } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { complaintsOf, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { newPage } = withVisitors();

browserTest.each(pageTemplates)(
  '%s can be read at every width, zoom, text size and contrast, and on paper',
  async (path) => {
    // Contrast is measured at once, so fade-in animations are off.
    const page = await newPage({ reducedMotion: 'reduce' });
    const complaints = complaintsOf(page);
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(path === '/no-such-page' ? 404 : 200);
    await page.evaluate('for (const list of document.querySelectorAll("main details")) list.open = true');
    expect(await pageFaults(page)).toEqual([]);
    // So high that the bar at the bottom covers no target.
    await page.setViewportSize({ width: 360, height: 16_000 });
    expect(await axeFindings(page, ['target-size', 'scrollable-region-focusable'])).toEqual([]);
    expect(complaints.filter((one) => !(path === '/no-such-page' && one.includes('404')))).toEqual([]);
  },
);

import { join } from 'node:path';
import { expect } from '@jest/globals';
import { readFolder } from '../../loading/content-files.ts';
import { pageFaults } from '../support/page-faults.ts';
import { testIf } from '../support/test-if.ts';
import { shownSite } from '../support/test-site.ts';
import { complaintsOf, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const files = readFolder(join(import.meta.dirname, '../fixtures/second-company'));
const { newPage } = withVisitors({ site: await shownSite({ files }) });

browserTest.each(['/', '/rates', '/rates/calc', '/services/rejs', '/contacts', '/contact'])(
  'a second company can read %s at every width, zoom, text size and contrast, and on paper',
  async (path) => {
    const page = await newPage({ reducedMotion: 'reduce' });
    const complaints = complaintsOf(page);
    await page.goto(path);
    expect(await pageFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

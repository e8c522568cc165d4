import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createApp } from '../../app.ts';
import { eventually } from '../support/eventually.ts';
import { startFront } from '../support/front.ts';
import { openTab } from '../support/open-tab.ts';
import { testIf } from '../support/test-if.ts';
import { shownSite, startTestSite } from '../support/test-site.ts';

const browserTest = testIf({ programs: ['browser'] });

browserTest('a page is rendered when its link is pressed, and counted only when it is shown', async () => {
  const integrations = { metrikaId: '12345678' };
  const front = await startFront(
    createApp((await startTestSite({ site: await shownSite({ integrations }) })).services),
  );
  const tab = await openTab();
  const becomes = (page: number, expression: string, wanted: unknown = true) =>
    eventually(() => tab.evaluate(page, expression).catch(() => undefined), wanted);
  const path = '/contacts';
  const link = `document.querySelector('header a[href="${path}"]')`;
  await tab.send('Page.navigate', { url: `${front.url}/about` });
  await becomes(0, `document.readyState === 'complete' && ${link} !== null`);
  const place = await tab.evaluate(
    0,
    `localStorage.setItem('analytics', 'allowed');
    const { x, y, width, height } = ${link}.getBoundingClientRect();
    ({ x: x + width / 2, y: y + height / 2 });`,
  );
  await tab.send('Input.dispatchMouseEvent', {
    ...{ type: 'mousePressed', button: 'left', clickCount: 1 },
    ...(place as { x: number; y: number }),
  });

  const state = `({
    shown: !document.prerendering,
    heading: document.querySelector('h1')?.textContent,
    modules: performance.getEntriesByType('resource')
      .map(({ name }) => /\\/assets\\/([\\w-]+)\\.[^/]*js$/.exec(name)?.[1]).filter((name) => name).sort(),
    counted: window.ym?.a.filter(([, call]) => call === 'init').length ?? 0,
  })`;
  const heading = 'Контакты';
  const rendered = { shown: false, heading, modules: ['entry'], counted: 0 };
  await becomes(1, state, rendered);
  const asked = () => front.asked.filter((one) => one.path === path).map(({ headers }) => headers['sec-purpose']);
  expect(asked()).toEqual([expect.stringMatching(/^prefetch/)]);
  // A module that did not wait would have time to load.
  await sleep(500);
  expect(await tab.evaluate(1, state)).toEqual(rendered);

  await tab.evaluate(0, `setTimeout(() => ${link}.click())`);
  const shown = { shown: true, heading, modules: ['analytics', 'entry', 'loading-bar'], counted: 1 };
  await becomes(1, state, shown);
  expect(await tab.evaluate(1, `performance.getEntriesByType('navigation')[0].activationStart > 0`)).toBe(true);
  expect(asked()).toHaveLength(1);
});

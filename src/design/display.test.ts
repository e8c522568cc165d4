import { expect, test } from '@jest/globals';
import { characters } from '../../scripts/display-face.ts';
import { all, parseHtml, textOf } from '../testing/html.ts';
import { shownSite, textAt } from '../testing/test-site.ts';

/** What `display.css` sets in the display face. */
const set = `h1, h2, h3, h4, legend, .questions summary, .site-header-logo,
  .facts-main dd, .facts strong, .change-now strong, .services b`;

test('every character of every heading and large figure is in the display face', async () => {
  const site = await shownSite();
  const foreign = site.paths.flatMap((path) =>
    all(parseHtml(textAt(site, path)), set).flatMap((heading) => {
      const missing = [...textOf(heading)].filter((character) => !characters.includes(character));
      return missing.length > 0 ? [`${path}: ${missing.join('')} in ${textOf(heading)}`] : [];
    }),
  );
  expect(foreign).toEqual([]);
});

test('the display face is kept for ever under an address with its hash, and keeps no page waiting', async () => {
  const site = await shownSite();
  const page = textAt(site, '/');
  const face = /@font-face\{[^}]*\}/.exec(page)?.[0] ?? '';
  expect(face).toContain('font-display:swap');
  const path = /url\("?([^)"]+)"?\)/.exec(face)?.[1] ?? '';
  expect(path).toMatch(/^\/fonts\/golos-text-700\.[\da-f]{10}\.woff2$/);
  expect(site.find(path)?.answer('identity', false).headers).toEqual(
    expect.arrayContaining(['font/woff2', 'public, max-age=31536000, immutable']),
  );
  expect(page).not.toContain('as="font"');
});

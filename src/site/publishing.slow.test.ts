import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { siteUrl } from '../testing/built.ts';
import { korob } from '../testing/commands.ts';
import { contentFolder } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readPublished } from './revisions.ts';

const [one, two] = ['Один', 'Два'].map((heading) =>
  contentFolder({ 'pages/cases.md': (text) => text.replace(/^heading: .*$/m, `heading: ${heading}`) }),
) as [string, string];

const headingOf = async ({ url }: { url: string }) =>
  /<h1[^>]*>([^<]*)/.exec(await (await fetch(`${url}/cases`)).text())?.[1];

test('what several publish at once ends with one of them, and there is always something to show', async () => {
  const server = await startServerProcess();
  let publishing = true;
  const published = Promise.all(
    [one, two, one].map((CONTENT_DIR) => {
      const env = { DATA_DIR: server.dataDir, CONTENT_DIR, SITE_URL: siteUrl };
      return promisify(execFile)(process.execPath, [paths.commands, 'publish'], { env });
    }),
  ).finally(() => {
    publishing = false;
  });
  while (publishing) expect(await headingOf(server)).toMatch(/./);
  await published;
  await eventually(async () => ['Один', 'Два'].includes((await headingOf(server)) ?? ''));
});

test('a revision that is damaged is not shown, but the one before; metrics say so, and publishing mends it', async () => {
  const dataDir = temporaryFolder();
  const publish = (folder: string) => korob(dataDir, ['publish'], { CONTENT_DIR: folder, SITE_URL: siteUrl });
  for (const folder of [one, two]) expect((await publish(folder)).code).toBe(0);
  const { current } = readPublished(paths.published(dataDir));
  appendFileSync(join(paths.published(dataDir), current ?? '', 'company.yaml'), '\n');

  const port = await freePort();
  const server = await startServerProcess({ DATA_DIR: dataDir, METRICS_PORT: String(port) });
  const outdated = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return /^korob_content_outdated (\d)/m.exec(text)?.[1];
  };
  expect(await headingOf(server)).toBe('Один');
  expect(server.output()).toContain(`The published content ${current} is damaged`);
  await eventually(outdated, '1', 'the metrics tell of it');

  expect((await publish(two)).code).toBe(0);
  await eventually(() => headingOf(server), 'Два');
  await eventually(outdated, '0', 'the metrics tell that it is over');
});

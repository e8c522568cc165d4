import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { nginxFiles } from './commands/nginx.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

describe("nginx's files have the names of the site", () => {
  test.each([
    ['https://korob.example', 'korob.example', 'www.korob.example'],
    ['https://www.korob.example', 'www.korob.example', 'korob.example'],
    ['https://shop.example.ru', 'shop.example.ru', 'www.shop.example.ru'],
    ['https://короб.рф', 'xn--90armaj.xn--p1ai', 'www.xn--90armaj.xn--p1ai'],
  ])('%s', (siteUrl, name, other) => {
    for (const setUp of ['debian', 'compose'] as const) {
      const files = Object.values(nginxFiles(siteUrl, setUp)).join('\n');
      const found = (pattern: RegExp) => [...files.matchAll(pattern)].map(([, found]) => found);
      expect(found(/^ *server_name (.*);/gm).sort()).toEqual([name, other].sort());
      expect(found(/^ *(?:location \/ \{ )?return 301 (.*?);/gm)).toEqual(Array(2).fill(`https://${name}$request_uri`));
      expect(files).not.toMatch(/[^.]\bexample\.ru\b/);
    }
    expect(nginxFiles(siteUrl, 'compose')['site.conf']).toContain(`acme_certificate letsencrypt ${name};`);
  });

  test('shared memory has a name of its own for each use, or nginx does not start', () => {
    for (const setUp of ['debian', 'compose'] as const) {
      const files = Object.values(nginxFiles('https://korob.example', setUp)).join('\n');
      const zones = [...files.matchAll(/(?:^ *zone |_zone .*zone=|keys_zone=|shared:)(\w+)/gm)].map(([, zone]) => zone);
      expect(zones.length).toBeGreaterThanOrEqual(4);
      expect(new Set(zones).size).toBe(zones.length);
    }
  });

  test('plain http is refused', () => {
    expect(() => nginxFiles('http://korob.example', 'debian')).toThrow('https alone');
  });
});

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({ image: z.string(), build: z.object({}).optional(), mem_limit: z.string(), pids_limit: z.number() }),
  ),
});

test('every image is the one of a digest, and no container takes all memory or all processes', () => {
  const { services } = compose.parse(parse(read('scripts/deploy/compose.yaml'), { merge: true }));
  const pinned = /^[a-z]+:[\w.-]+@sha256:[\da-f]{64}$/;
  for (const [service, { image, build }] of Object.entries(services))
    expect([service, build !== undefined || pinned.test(image)]).toEqual([service, true]);
  const dockerfile = read('Dockerfile');
  const named = new Map(
    [...dockerfile.matchAll(/^ARG (\w+)=(.*)$/gm)].map(([, name, value]) => [`\${${name}}`, value]),
  );
  const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)]
    .filter(([, from]) => !stages.includes(from))
    .map(([, from = '']) => named.get(from) ?? from);
  expect(bases.length).toBeGreaterThanOrEqual(3);
  for (const base of bases) expect(base).toMatch(pinned);
});

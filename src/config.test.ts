import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { envExample } from '../scripts/env-example.ts';
import { loadConfig, variables } from './config.ts';

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');

test('.env.example is what "node scripts/env-example.ts" writes, with a line of meaning for each variable', () => {
  expect(example).toBe(envExample());
  for (const [, meaning] of example.matchAll(/^# (.*)\n#\w+=./gm)) expect(meaning).toMatch(/^\S.*[.:]$/);
  expect([...example.matchAll(/^#(\w+)=/gm)].map(([, name]) => name)).toEqual(variables);
});

test('its defaults are those that hold without it', () => {
  const defaults = example.replaceAll(/^#.* Not set; for example:\n#.*$/gm, '').replaceAll(/^#(\w+=)/gm, '$1');
  const env = parseEnv(defaults);
  expect(Object.keys(env).length).toBeGreaterThan(8);
  expect(loadConfig(env, 'src/content')).toEqual(loadConfig({}, 'src/content'));
});

test('its examples are such as can be used, but for the secrets that it does not tell', () => {
  const env = parseEnv(example.replaceAll(/^#(\w+=(?!.*…))/gm, '$1'));
  expect(Object.keys(env).length).toBeGreaterThan(25);
  let said = '';
  try {
    loadConfig(env, 'src/content');
  } catch (error) {
    said = String(error);
  }
  expect(said.match(/^ {2}\w+=/gm)).toEqual(['  LEADS_WEBHOOK_SECRET=', '  TELEGRAM_BOT_TOKEN=']);
});

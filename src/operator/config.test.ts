import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadConfig, variables } from './config.ts';

const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');

test('.env.example has every variable, with a line of meaning', () => {
  const described = [...example.matchAll(/^# (\S.*[.:])\n#(\w+)=./gm)];
  expect(described.map(([, , name]) => name).toSorted()).toEqual(variables.toSorted());
});

test('its defaults are those that hold without it', () => {
  const defaults = example.replaceAll(/^#.* Not set; for example:\n#.*$/gm, '').replaceAll(/^#(\w+=)/gm, '$1');
  const env = parseEnv(defaults);
  expect(Object.keys(env).length).toBeGreaterThan(8);
  expect(loadConfig(env)).toEqual(loadConfig({ SITE_URL: loadConfig({}).siteUrl }));
});

test('its examples are such as can be used, but for the secrets that it does not tell', () => {
  const env = parseEnv(example.replaceAll(/^#(\w+=(?!.*…))/gm, '$1'));
  expect(Object.keys(env).length).toBeGreaterThan(25);
  let said = '';
  try {
    loadConfig(env);
  } catch (error) {
    said = String(error);
  }
  expect(said.match(/^ {2}\w+:/gm)).toEqual(['  LEADS_WEBHOOK_SECRET:', '  TELEGRAM_BOT_TOKEN:']);
});

/** What is said of an environment, a line for each variable. */
function saidOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return String(error).match(/^ {2}.*$/gm) ?? [];
  }
}

test('a misspelt variable is named, with the one that was meant, and its value is not repeated', () => {
  const meant = '  LEADS_WEBHOK_URL: unknown; did you mean LEADS_WEBHOOK_URL?';
  expect(saidOf({ LEADS_WEBHOK_URL: 'https://crm.example.ru/secret' })).toEqual([meant]);
  expect(saidOf({ telegram_chat_id: '1' })).toEqual(['  telegram_chat_id: unknown; did you mean TELEGRAM_CHAT_ID?']);
  expect(saidOf({ DATABASE_URL_FIL: '/run/secrets/db' })).toHaveLength(1);
});

test('what is set besides, as every machine sets much, is no misspelling', () => {
  const others = ['HOSTNAME', 'XDG_DATA_DIRS', 'REDIS_PORT', 'LOGNAME', 'NODE_ENV', 'SSH_CONNECTION', 'INVOCATION_ID'];
  expect(saidOf({ ...process.env, ...Object.fromEntries(others.map((name) => [name, 'x'])) })).toEqual([]);
  // The right one is there, so this one is somebody else's.
  expect(saidOf({ REDIS_URI: 'x', REDIS_URL: 'redis://localhost' })).toEqual([]);
});

test('an address of the site without https gets an example', () => {
  expect(saidOf({ SITE_URL: 'example.ru' })).toEqual(['  SITE_URL: an address such as https://example.ru']);
});

test('any variable may stand in a file', () => {
  const file = join(temporaryFolder(), 'database');
  writeFileSync(file, 'postgres://korob:secret@localhost/korob\n');
  const { databaseUrl } = loadConfig({ DATABASE_URL_FILE: file });
  expect(databaseUrl).toBe('postgres://korob:secret@localhost/korob');
  expect(saidOf({ DATABASE_URL_FILE: `${file}-missing` })[0]).toMatch(/DATABASE_URL_FILE.*no such file.*missing/);
  writeFileSync(file, '\n');
  expect(saidOf({ DATABASE_URL_FILE: file })[0]).toMatch(/empty/);
});

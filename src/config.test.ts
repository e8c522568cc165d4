import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { nginxFiles } from './commands/nginx-command.ts';
import { loadConfig, variables } from './config.ts';
import { apiOf, type Repository } from './loading/repository.ts';
import { korob } from './tests/support/commands.ts';
import { contentFolder, valued } from './tests/support/sample-content.ts';
import { temporaryFolder } from './tests/support/temporary-folder.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

/** The problems that loading this environment reports, one line for each variable. */
function saidOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return String(error).match(/^ {2}.*$/gm) ?? [];
  }
}

describe('.env.example', () => {
  const example = read('.env.example');

  test('describes every variable', () => {
    const described = [...example.matchAll(/^# (\S.*[.:])\n#(\w+)=./gm)];
    expect(described.map(([, , name]) => name).toSorted()).toEqual(variables.toSorted());
  });

  test('has the same values as the built-in defaults', () => {
    const defaults = example.replaceAll(/^#.* Not set; for example:\n#.*$/gm, '').replaceAll(/^#(\w+=)/gm, '$1');
    const env = parseEnv(defaults);
    expect(Object.keys(env).length).toBeGreaterThan(8);
    expect(loadConfig(env)).toEqual(loadConfig({ SITE_URL: loadConfig({}).siteUrl }));
  });
});

describe('the environment', () => {
  const anyMachine = [
    ...['HOSTNAME', 'LOGNAME', 'LOG_FORMAT', 'DATA_VOLUME', 'REDIS_PORT', 'POSTGRES_PASSWORD', 'METRICS_PORT_80_TCP'],
    ...['SITE_SERVICE_PORT', 'HOST_IP', 'NODE_OPTIONS', 'npm_config_site', 'http_proxy'],
  ];

  test.each<[string, NodeJS.ProcessEnv, string[]]>([
    [
      'a variable that begins like a known one',
      { LEADS_WEBHOK_URL: 'https://crm.example.ru/canary', telegram_chat_id: '1', DATABASE_URL_FIL: 'x', METRIKA: '1' },
      ['LEADS_WEBHOOK_URL', 'TELEGRAM_CHAT_ID', 'is DATABASE_URL', 'is METRIKA_ID'],
    ],
    [
      'nothing that every machine sets',
      { ...process.env, ...Object.fromEntries(anyMachine.map((name) => [name, 'x'])) },
      [],
    ],
  ])('reports as unknown %s', (_, env, meant) => {
    const names = Object.keys(env);
    const said = meant.map((name, at) => expect.stringMatching(`^${names[at]}: nothing reads it; there .*${name}`));
    expect(loadConfig(env).unread).toEqual(said);
    // When another variable is invalid, the unknown one may be the cause.
    if (said.length > 0)
      expect(
        saidOf({ ...env, TRUST_PROXY: 'true' })
          .slice(0, -1)
          .map((line) => line.trim()),
      ).toEqual(said);
  });

  test.each(['true', '', '-1', '1e9', '\u0000', 'example.ru', 'ы'])(
    'no problem is reported in the words of a library: %j',
    (value) => {
      for (const name of variables) {
        for (const said of saidOf({ [name]: value }))
          expect(said).not.toMatch(/invalid|expected|too (big|small)|regex|\/\^/i);
      }
      expect(saidOf({ LOG_LEVEL: 'loud' })).toEqual([
        '  LOG_LEVEL: one of fatal, error, warn, info, debug, trace, silent',
      ]);
    },
  );

  const numbers = (least: number, most: number): [string[], string[]] => [
    [least, most].map(String),
    [String(least - 1), String(most + 1), '1.5', '+1', ' 1', '0x1', '1e1'],
  ];
  const key = (length: number) => 'aB3_.-'.repeat(length).slice(0, length);

  test.each<[name: string, accepted: readonly string[], rejected: readonly string[]]>([
    ['PORT', ...numbers(0, 65_535)],
    ['METRICS_HOST', ['10.0.0.5', 'localhost', 'all'], ['0.0.0.0', '203.0.113.5', 'korob.example']],
    ['TRUST_PROXY', ...numbers(0, 10)],
    ['LEADS_RETENTION_DAYS', ['1'], ['0', '36501']],
    ['CONSENT_RETENTION_DAYS', ['365', '36500'], ['36501', '1.5']],
    [
      'SITE_URL',
      ['https://korob.ru', 'http://localhost:3000/'],
      ['korob.ru', 'https://a:b@korob.ru', 'https://korob.ru/path', 'https://korob.ru/?', 'https://korob.ru/#a'],
    ],
    [
      'DATABASE_URL',
      ['postgres://a:b@db:5432/korob', 'postgresql://db/korob'],
      ['mysql://db/korob', 'https://db/korob', 'db'],
    ],
    ['REDIS_URL', ['redis://:a@cache:6379', 'rediss://cache'], ['http://cache', 'cache:6379']],
    [
      'VIDEO_HOSTS',
      ['rutube.ru', 'none', ' *.OKcdn.ru , a-b.example:8443', '*.видео.рф:8443'],
      ['rutube', '*', 'none,rutube.ru', 'https://a.ru', 'a.*.ru'],
    ],
    ['METRIKA_ID', ['1', '123456789012'], ['1234567890123', '12a', '-1']],
    ['YANDEX_MAPS_API_KEY', [key(1), key(200)], [key(201), 'a b', 'a&b', 'a;b', "a'b"]],
    ['LOG_LEVEL', ['fatal', 'trace', 'silent'], ['warning', 'INFO']],
  ])('%s is accepted or rejected at its limits', (name, accepted, rejected) => {
    expect(accepted.flatMap((value) => saidOf({ [name]: value }))).toEqual([]);
    for (const value of rejected)
      expect([value, saidOf({ [name]: value })[0]]).toEqual([value, expect.stringContaining(`  ${name}: `)]);
  });

  test('is read into values without slashes at the end, spaces or upper-case hosts', () => {
    expect(
      loadConfig({
        ...{ SITE_URL: 'https://korob.example/', BROADCAST_API_BASE: 'https://video.example/api/' },
        ...{ VIDEO_HOSTS: 'RuTube.ru, *.okcdn.ru', CONTENT_WATCH: 'true', METRICS_PORT: '9100' },
        ...{
          TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`,
          TELEGRAM_CHAT_ID: '-1',
          LEADS_WEBHOOK_URL: 'https://crm.example',
        },
        ...{ LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`, LEADS_ESCALATION: ' telegram ' },
        ...{ LEADS_RETENTION_DAYS: '30', CONSENT_RETENTION_DAYS: '40', DATA_DIR: '/data/', CONTENT_DIR: '/content/' },
        ...{ TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'secret', YANDEX_MAPS_API_KEY: 'maps', METRIKA_ID: '7' },
      }),
    ).toMatchObject({
      ...{ siteUrl: 'https://korob.example', broadcastApiBase: 'https://video.example/api', contentWatch: true },
      ...{
        escalation: ['telegram'],
        retention: { leads: 30, consents: 40 },
        metrics: { port: 9100, host: '127.0.0.1' },
      },
      ...{ dataDir: '/data', contentDir: '/content', turnstileSecretKey: 'secret' },
      integrations: {
        ...{ videoHosts: ['rutube.ru', '*.okcdn.ru', 'korob.example'], metrikaId: '7' },
        ...{ mapsApiKey: 'maps', turnstileSiteKey: 'site' },
      },
    });
    const { siteUrl, integrations } = loadConfig({ PORT: '8080', VIDEO_HOSTS: 'none' });
    expect([siteUrl, integrations.videoHosts]).toEqual(['http://localhost:8080', ['localhost:8080']]);
  });

  test.each<[NodeJS.ProcessEnv, string[]]>([
    [{ PORT: '3000', METRICS_PORT: '3000' }, ['METRICS_PORT: the same as PORT']],
    [{ PORT: '0', METRICS_PORT: '0' }, []],
    [{ SITE_URL: 'https://korob.example', SITE_URL_FILE: '/dev/null' }, ['SITE_URL: set by SITE_URL_FILE as well']],
    [{ LEADS_ESCALATION: 'max; bitrix24' }, ['LEADS_ESCALATION: several values are separated by commas']],
    [{ TURNSTILE_SITE_KEY: 'a' }, ['TURNSTILE_SECRET_KEY: missing, and needed because of TURNSTILE_SITE_KEY']],
    [{ LEADS_ESCALATION: 'telegram' }, ['LEADS_ESCALATION: "telegram" is no channel; there are: none']],
    [
      { BITRIX24_WEBHOOK_URL: 'https://a.bitrix24.ru/rest/1/key/', LEADS_ESCALATION: 'bitrix24' },
      ['LEADS_ESCALATION: leave out at least one channel, which is notified at once'],
    ],
    [
      { DATABASE_URL: 'mysql://a', TURNSTILE_SITE_KEY: 'a' },
      ['DATABASE_URL: an address', 'TURNSTILE_SECRET_KEY: missing'],
    ],
  ])('is checked as a whole: %j', (env, said) => {
    expect(saidOf(env)).toEqual(said.map((one) => expect.stringContaining(`  ${one}`)));
  });

  const crm = { LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` };

  test.each<[NodeJS.ProcessEnv, string[]]>([
    [{ SITE_URL: 'https://korob.example' }, []],
    [{ SITE_URL: 'https://korob.example:8443' }, ['SITE_URL: has the port 8443']],
    [{ CONTENT_WATCH: 'true' }, ['CONTENT_WATCH: watches the content that ships']],
    [{ CONTENT_WATCH: 'true', CONTENT_DIR: '/content' }, []],
    [{ ...crm, LEADS_WEBHOOK_URL: 'http://crm.example.ru/hook' }, ['LEADS_WEBHOOK_URL: plain http to a public host']],
    [{ ...crm, LEADS_WEBHOOK_URL: 'http://172.17.0.1/hook' }, []],
  ])('is doubted when it can be used and is probably not what was meant: %j', (env, said) => {
    expect(loadConfig(env).doubtful).toEqual(said.map((one) => expect.stringContaining(one)));
  });

  test('reads host names and mailboxes in either spelling, and stores that of programs', () => {
    const ascii = 'xn--e1afmkfd.xn--p1ai';
    const { siteUrl, databaseUrl, redisUrl, channels, escalation, integrations, repository } = loadConfig({
      ...{ SITE_URL: 'https://Пример.рф:443/', DATABASE_URL: 'postgres://a:b@пример.рф/korob' },
      ...{ REDIS_URL: 'redis://пример.рф', SMTP_URL: 'smtp://пример.рф:587', LEADS_EMAIL_FROM: 'site@пример.рф' },
      ...{ LEADS_EMAIL_TO: `Boss@пример.рф, sales@${ascii}`, LEADS_ESCALATION: 'mail:Boss@Пример.рф' },
      ...{ VIDEO_HOSTS: '*.пример.рф:8443', CMS_REPOSITORY: 'gitea:https://пример.рф/owner/name' },
    });
    expect([siteUrl, databaseUrl, redisUrl, repository?.host]).toEqual([
      `https://${ascii}`,
      `postgres://a:b@${ascii}/korob`,
      `redis://${ascii}`,
      `https://${ascii}`,
    ]);
    expect(channels).toMatchObject({
      SMTP_URL: `smtp://${ascii}:587`,
      LEADS_EMAIL_FROM: `site@${ascii}`,
      LEADS_EMAIL_TO: [`boss@${ascii}`, `sales@${ascii}`],
    });
    expect([escalation, integrations.videoHosts]).toEqual([[`mail:boss@${ascii}`], [`*.${ascii}:8443`, ascii]]);
  });

  test('reads any variable from a file', () => {
    const file = join(temporaryFolder(), 'database');
    writeFileSync(file, 'postgres://korob:secret@localhost/korob\n');
    const { databaseUrl } = loadConfig({ DATABASE_URL_FILE: file });
    expect(databaseUrl).toBe('postgres://korob:secret@localhost/korob');
    expect(saidOf({ DATABASE_URL_FILE: `${file}-missing` })[0]).toMatch(/DATABASE_URL_FILE.*no such file.*missing/);
    writeFileSync(file, '\n');
    expect(saidOf({ DATABASE_URL_FILE: file })[0]).toMatch(/empty/);
  });

  const repository = { branch: undefined, folder: 'src/content', host: undefined };
  const host = 'https://git.example.ru:8443';

  test.each<[string, Repository, string]>([
    ['github:owner/name', { ...repository, kind: 'github', name: 'owner/name' }, 'https://api.github.com'],
    [
      'gitlab:group/sub.group/name@main',
      { ...repository, kind: 'gitlab', name: 'group/sub.group/name', branch: 'main' },
      'https://gitlab.com/api/v4',
    ],
    [
      `gitea:${host}/owner/na.me@release/1.x:site/content`,
      { kind: 'gitea', name: 'owner/na.me', branch: 'release/1.x', folder: 'site/content', host },
      `${host}/api/v1`,
    ],
  ])('CMS_REPOSITORY may be %s', (text, meant, api) => {
    expect(loadConfig({ CMS_REPOSITORY: text }).repository).toEqual(meant);
    expect(apiOf(meant).rest).toBe(api);
  });

  test.each(['github:owner', 'bitbucket:owner/name', 'gitea:http://git.example.ru/owner/name'])(
    'CMS_REPOSITORY cannot be %s',
    (text) => {
      expect(saidOf({ CMS_REPOSITORY: text })[0]).toMatch(
        'CMS_REPOSITORY: a repository such as github:owner/name@main',
      );
    },
  );
});

describe('the nginx files', () => {
  const filesOf = (siteUrl: string) =>
    (['debian', 'compose'] as const).map((place) => Object.values(nginxFiles(siteUrl, place)).join('\n'));
  const found = (files: string, pattern: RegExp) => [...files.matchAll(pattern)].map(([, found]) => found);

  test.each([
    ['https://korob.example', 'korob.example', 'www.korob.example'],
    ['https://www.korob.example', 'www.korob.example', 'korob.example'],
    ['https://короб.рф', 'xn--90armaj.xn--p1ai', 'www.xn--90armaj.xn--p1ai'],
  ])('contain the server names of %s', (siteUrl, name, other) => {
    for (const wrong of ['https://korob.example:8443', 'http://korob.example'])
      expect(() => nginxFiles(wrong, 'debian')).toThrow(/without a port|must be an https address/);
    for (const files of filesOf(siteUrl)) {
      expect(found(files, /^ *server_name (.*);/gm).sort()).toEqual([name, other].sort());
      const redirects = found(files, /^ *(?:location \/ \{ )?return 301 (.*?);/gm);
      expect(redirects).toEqual(Array(2).fill(`https://${name}$request_uri`));
      expect(files).not.toMatch(/[^.]\bexample\.ru\b/);
    }
    expect(nginxFiles(siteUrl, 'compose')['site.conf']).toContain(`acme_certificate letsencrypt ${name};`);
  });

  test('contain the phone number when it is not that of the sample company', async () => {
    const written = async (sample: string[]) => {
      const folder = temporaryFolder();
      const env = {
        SITE_URL: 'https://korob.example',
        CONTENT_DIR: contentFolder({ 'company.yaml': valued({ sample, tollFree }) }),
      };
      expect((await korob(temporaryFolder(), ['nginx', folder], env)).code).toBe(0);
      return readFileSync(join(folder, 'unavailable.html'), 'utf8');
    };
    const tollFree = { number: '+78001234567', text: '8 (800) 123-45-67' };
    expect(await written(['cases/'])).toContain('Наш телефон: <a href="tel:+78001234567">8 (800) 123-45-67</a>.');
    expect(await written(['company.yaml'])).toBe(read('scripts/deploy/unavailable.html'));
  });
});

test('every image is pinned by digest, and every container has limits and no rights of root', () => {
  const service = z.object({
    image: z.string(),
    build: z.object({}).optional(),
    mem_limit: z.string(),
    pids_limit: z.number(),
    read_only: z.literal(true),
    cap_drop: z.tuple([z.literal('ALL')]),
    security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  });
  const compose = parse(read('scripts/deploy/compose.yaml'), { merge: true });
  const { services } = z.object({ services: z.record(z.string(), service) }).parse(compose);
  const dockerfile = read('Dockerfile');
  const found = (pattern: RegExp) => [...dockerfile.matchAll(pattern)].map(([, ...found]) => found);
  const named = new Map(found(/^ARG (\w+)=(.*)$/gm).map(([name, value]) => [`\${${name}}`, value]));
  const stages = found(/^FROM \S+ AS (\S+)$/gm).flat();
  const bases = found(/^FROM (\S+)/gm).flatMap(([from = '']) =>
    stages.includes(from) ? [] : (named.get(from) ?? from),
  );
  expect(bases.length).toBeGreaterThanOrEqual(3);
  const pulled = Object.values(services).flatMap(({ image, build }) => (build ? [] : image));
  for (const image of [...pulled, ...bases]) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[\da-f]{64}$/);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { requirePath } from '../tests/support/programs.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';

const deployed = (name: string) => readFileSync(join(paths.deploy, name), 'utf8');
const units = readdirSync(paths.deploy).filter((name) => /\.(service|timer)$/.test(name));

testIf({ programs: ['systemd-analyze'] })('systemd finds no mistake in the units', () => {
  const folder = temporaryFolder();
  // Where these programs are not installed, `verify` reports only that.
  const program = /^(Exec\w+=[-+]*)\/\S+/gm;
  for (const name of units) writeFileSync(join(folder, name), deployed(name).replace(program, '$1/bin/true'));
  const files = units.map((name) => join(folder, name.replace('@.', '@3000.')));
  for (const name of units.filter((name) => name.includes('@'))) {
    symlinkSync(join(folder, name), join(folder, name.replace('@.', '@3000.')));
  }
  const { status, stderr } = spawnSync(requirePath('systemd-analyze'), ['verify', ...files], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('systemd starts a server again however often its start has failed', () => {
  const servers = units.filter((name) => deployed(name).includes('\nRestart=always\n'));
  expect(servers).toEqual(['korob@.service', 'nginx.service']);
  for (const name of servers) expect(deployed(name)).toMatch(/^\[Unit\]\n(?:[^[].*\n)*StartLimitIntervalSec=0\n/m);
});

/** Runs the script `korob` with programs of the system that only pretend. */
function korobAs(user: number, ...args: string[]) {
  const [release, stubs] = [temporaryFolder(), temporaryFolder()];
  const settings = join(release, 'korob.env');
  writeFileSync(settings, 'SITE_URL=https://korob.invalid\n');
  for (const name of ['dist', 'node_modules']) symlinkSync(join(paths.deploy, '../..', name), join(release, name));
  mkdirSync(join(release, 'scripts/deploy'), { recursive: true });
  const local = deployed('debian.env').replace('/var/lib/korob', join(release, 'data'));
  writeFileSync(join(release, 'scripts/deploy/debian.env'), local);
  const programs = {
    id: `echo ${user}`,
    systemctl: 'echo "korob@3001.service loaded active running"',
    runuser: 'shift 3; exec "$@"',
    korob: deployed('korob').replace('/etc/korob.env', settings),
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(stubs, name), text.startsWith('#!') ? text : `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const env = { PATH: [stubs, process.env.PATH].join(delimiter), TZ: process.env.TZ, RELEASE: release };
  const { status, stdout, stderr } = spawnSync(join(stubs, 'korob'), args, { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('"korob doctor" asks the process that runs, with the settings of its unit', () => {
  const { stdout } = korobAs(0, 'doctor', '--no-send');
  expect(stdout).toContain('no server answers on http://127.0.0.1:3001;');
  expect(stdout).not.toContain('configuration');
});

test('"korob" names the user and the remedy when root does not start it', () => {
  const stderr = expect.stringMatching(/as the user korob, which only root may do: sudo korob/);
  expect(korobAs(1000, 'leads', 'list')).toEqual({ status: 1, stdout: '', stderr });
});

test('the cron job of compose removes old backups, and keeps content files with similar names', () => {
  const [, find = ''] = /&& (find \$DATA_DIR .* -delete)'$/m.exec(deployed('compose.yaml')) ?? [];
  const DATA_DIR = temporaryFolder();
  const old = 'backup-2026-09-01.sqlite';
  const kept = ['backup-notes.md', 'published/206b/news/backup-2026.md', 'published/206b/news/backup-2026.sqlite'];
  for (const name of [old, ...kept]) {
    mkdirSync(dirname(join(DATA_DIR, name)), { recursive: true });
    writeFileSync(join(DATA_DIR, name), '');
    utimesSync(join(DATA_DIR, name), 0, 0);
  }
  execFileSync('sh', ['-c', find], { env: { PATH: process.env.PATH, DATA_DIR } });
  expect(kept.filter((name) => !existsSync(join(DATA_DIR, name)))).toEqual([]);
  expect(existsSync(join(DATA_DIR, old))).toBe(false);
});

test.each([
  [
    'makes a copy without DATABASE_URL',
    '#DATABASE_URL=postgres://localhost/korob\nSITE_URL=https://korob.example\n',
    0,
  ],
  ['makes a copy with an empty DATABASE_URL', 'DATABASE_URL=\n', 0],
  ['is skipped without a failure when the leads are in PostgreSQL', 'DATABASE_URL=postgres://localhost/korob\n', 1],
  ['is skipped when a file names PostgreSQL', 'DATABASE_URL_FILE=/etc/korob-database\n', 1],
])('the nightly backup %s', (_, env, code) => {
  const file = join(temporaryFolder(), 'korob.env');
  writeFileSync(file, env);
  const [, condition = ''] = /^ExecCondition=\/bin\/sh -c '(.+)'$/m.exec(deployed('korob-backup.service')) ?? [];
  expect(spawnSync('/bin/sh', ['-c', condition.replace('/etc/korob.env', file)]).status).toBe(code);
});

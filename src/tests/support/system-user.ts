import { spawnSync } from 'node:child_process';

/**
 * Returns the user for a server when tests run as root: that of its Debian package, or `nobody` without it.
 *
 * @returns undefined for any other user, who can start a server only as themselves
 */
export function systemUser(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string, user: string) => spawnSync('id', [option, user], { encoding: 'utf8' }).stdout.trim();
  const user = idOf('-u', name) ? name : 'nobody';
  return { uid: Number(idOf('-u', user)), gid: Number(idOf('-g', user)) };
}

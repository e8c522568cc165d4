import { execFileSync } from 'node:child_process';

/**
 * Debian's user for a server, where tests run as root and the server must not.
 *
 * @returns nothing for any other user, who may only start it as themselves
 * @throws if there is no such user
 */
export function systemUser(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string) => Number(execFileSync('id', [kind, name]));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

import { readFileSync } from 'node:fs';

/**
 * Debian's user for a server, where tests run as root and the server must not.
 *
 * @returns nothing for any other user, who may only start it as themselves
 * @throws if there is no such user
 */
export function systemUser(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'));
  if (!entry) throw new Error(`There is no user "${name}", and this must not run as root.`);
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

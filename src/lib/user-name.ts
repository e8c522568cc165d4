import { userInfo } from 'node:os';

/** Of this process; the id of a user without a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

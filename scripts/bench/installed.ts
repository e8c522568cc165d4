import { spawnSync } from 'node:child_process';

/** Whether a program can be run. @param harmless an argument with which it says something and ends */
export function installed(program: string, harmless: string): boolean {
  return spawnSync(program, [harmless]).error === undefined;
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** `names` are paths; a rename has two. */
export type FileCall = { call: 'fsync' | 'mkdir' | 'rename'; names: readonly string[] };

/** Runs Node under strace and returns its successful syncs, mkdirs and renames, in order. */
export function tracedCalls(args: readonly string[], env: NodeJS.ProcessEnv): FileCall[] {
  const log = join(temporaryFolder(), 'strace.log');
  const traced = 'trace=fsync,fdatasync,mkdir,mkdirat,rename,renameat,renameat2';
  // Prints full paths, also those of descriptors.
  const options = ['-f', '-qq', '-y', '-s', '4096', '-e', traced, '-o', log];
  execFileSync('strace', [...options, process.execPath, ...args], { env, stdio: 'pipe' });
  return callsIn(readFileSync(log, 'utf8'));
}

function callsIn(log: string): FileCall[] {
  // A call that overlaps a call of another thread has one line for its start and one for its end.
  const begun = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) begun.set(thread, rest);
    const text = rest.startsWith('<...') ? `${begun.get(thread)} ${rest}` : rest;
    const [, name] = /^(f(?:data)?sync|mkdir|rename)\w*\(.* = 0$/.exec(text) ?? [];
    if (name === undefined) return [];
    const call = name === 'mkdir' || name === 'rename' ? name : 'fsync';
    const paths = call === 'fsync' ? /<([^>]+)>/g : /"([^"]+)"/g;
    return [
      { call, names: [...text.matchAll(paths)].map(([, path = '']) => path).slice(0, call === 'rename' ? 2 : 1) },
    ];
  });
}

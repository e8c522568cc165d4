import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { missingFrom, postQuestion, storedIn } from './testing.ts';

/** Milliseconds, at most, from the first acknowledged request to the kill, and from the start of a process to it. */
const moments = { load: 120, start: 250 };

export type Killed = {
  /** Messages by the address of the receipt that their senders were sent to. */
  acknowledged: Map<string, string>;
  /** Statuses other than 303; there should be none. */
  unexpected: number[];
  /** How many processes were killed before they served. */
  early: number;
};

/**
 * Starts the server again and again on one database, sends it requests, and kills it with -9 at a random moment:
 * mostly under load, every fifth time from its start on. After each kill the database must hold what was acknowledged.
 *
 * @throws when something acknowledged is missing, or the database is damaged
 */
export async function killRepeatedly(kills: number, env: NodeJS.ProcessEnv & { DATA_DIR: string }): Promise<Killed> {
  const killed: Killed = { acknowledged: new Map(), unexpected: [], early: 0 };
  for (let round = 0; round < kills; round++) {
    const atStart = round % 5 === 4;
    const server = await startServerProcess(
      { ...env, TRUST_PROXY: '1' },
      { spawned: (child) => atStart && setTimeout(() => child.kill('SIGKILL'), randomInt(moments.start)) },
    ).catch(() => undefined);
    if (server) await load(server, `${round}`, killed, atStart);
    else if (atStart) killed.early += 1;
    else throw new Error('The server did not start again.');

    const stored = storedIn(env.DATA_DIR);
    const missing = missingFrom(stored, killed.acknowledged);
    if (missing.length > 0 || stored.integrity !== 'ok') {
      throw new Error(`After kill ${round + 1} missing: ${missing.join(' ') || 'nothing'}; ${stored.integrity}`);
    }
  }
  return killed;
}

/** Sends requests until the server is gone; kills it unless that is seen to. */
async function load(server: ServerProcess, name: string, { acknowledged, unexpected }: Killed, seenTo: boolean) {
  const agent = new Agent({ keepAlive: true });
  let doomed = seenTo;
  const send = async (sender: number) => {
    for (let count = 0; ; count++) {
      const message = `${name}-${sender}-${count}`;
      const answer = await postQuestion(server.port, message, agent).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status === 303) acknowledged.set(answer.headers.location ?? '', message);
      else unexpected.push(answer.status);
      if (!doomed) setTimeout(() => server.child.kill('SIGKILL'), randomInt(moments.load));
      doomed = true;
    }
  };
  await Promise.all([1, 2, 3, 4].map(send));
  await server.exited;
  agent.destroy();
}

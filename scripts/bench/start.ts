import { type Server, startServer } from '../server-process.ts';
import { compare, type Figure, type FilledServer, memoryOf, startBare, startOnce, wrk } from './harness.ts';

/** Time to the first page and to the last compressed one; memory. */
export async function measureStart(server: FilledServer): Promise<Figure[]> {
  const bareStart = () => startOnce(() => startBare('empty'));
  await using bare = await startBare('empty');
  const memoryInUse = async (one: Server) => {
    await wrk(one.port, '/', { seconds: 3, headers: ['Accept-Encoding: br'] });
    return memoryOf(one);
  };
  return [
    await compare({
      name: 'start to the first page',
      unit: 'ms',
      limit: 25,
      rounds: 5,
      ours: () => startOnce(startServer),
      other: bareStart,
    }),
    await compare({
      name: 'start to the last page made small',
      unit: 'ms',
      limit: 400,
      ours: async () => server.filled,
      other: bareStart,
    }),
    await compare({
      name: 'memory while serving',
      unit: 'MB',
      limit: 4,
      ours: () => memoryInUse(server),
      other: () => memoryInUse(bare),
    }),
  ];
}

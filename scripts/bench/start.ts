import { startServer } from '../server-process.ts';
import { type Figure, inTurns, median, ratio } from './figure.ts';
import { wrk } from './load.ts';
import { bareStart, filledServer, memoryOf, startOnce } from './processes.ts';

const rounds = 5;

export async function measureStart(): Promise<Figure[]> {
  const { bare, ours } = await inTurns(rounds, { bare: bareStart, ours: () => startOnce(startServer) });
  const server = await filledServer();
  await wrk(server.port, '/', { seconds: 3, headers: ['Accept-Encoding: br'] });
  return [
    { what: 'start of bare Node', value: median(bare), unit: 'ms' },
    { what: 'start to the first 200', value: median(ours), unit: 'ms' },
    { what: 'the same, over bare Node', value: ratio(ours, bare), unit: '×', limit: { most: 25 } },
    { what: 'until every page is ready and small', value: server.filled / 1_000, unit: 's' },
    {
      what: 'the same, over a start of bare Node',
      value: server.filled / median(bare),
      unit: '×',
      limit: { most: 400 },
    },
    { what: 'memory while serving', value: memoryOf(server.pid), unit: 'MB', limit: { most: 170 } },
  ];
}

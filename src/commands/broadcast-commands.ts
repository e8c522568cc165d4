import type { Config } from '../config.ts';
import { broadcastUrl, embeddingProblem, laterToday, type StoredBroadcast } from '../model/broadcast.ts';
import { type Command, type CommandIo, configOf, note, parse, print, UsageError, withStore } from './command.ts';
import { currentContent } from './content-commands.ts';

export const broadcastCommands: readonly Command[] = [
  {
    name: 'broadcast on',
    usage: 'URL [--until HH:MM]',
    does: 'turns the broadcast on; --until ends it at that time today, in the time zone of the company',
    async run(args, io) {
      const { values, positionals } = parse(args, { until: { type: 'string' } }, ['URL']);
      const [address = ''] = positionals;
      const url = broadcastUrl(address);
      if (url === undefined) throw new UsageError(`${address} is no http or https address.`);
      const config = configOf(io);
      const until = values.until === undefined ? undefined : await readEnd(values.until, config);
      await withBroadcast(io, (broadcast) => broadcast.set({ status: true, url, until }));
      const problem = embeddingProblem(url, config.integrations.videoHosts);
      if (problem) note(io, problem);
    },
  },
  {
    name: 'broadcast off',
    usage: '',
    does: 'turns the broadcast off',
    async run(args, io) {
      parse(args, {});
      await withBroadcast(io, (broadcast) => broadcast.set({ status: false }));
    },
  },
  {
    name: 'broadcast status',
    usage: '',
    does: 'shows whether the broadcast is on, its address and its end',
    async run(args, io) {
      parse(args, {});
      const state = await withBroadcast(io, (broadcast) => broadcast.read());
      const end = state.status && state.until ? ` until ${state.until}` : '';
      await print(io, [state.status ? `on ${state.url}${end}\n` : 'off\n']);
    },
  },
];

/** @throws {UsageError} if it is malformed or past */
async function readEnd(time: string, config: Config): Promise<string> {
  const { company } = await currentContent(config);
  const { timeZone } = company.workingHours;
  const end = laterToday(time, new Date(), timeZone);
  if (end === undefined) throw new UsageError(`--until must be a time of today that is still to come, in ${timeZone}.`);
  return end;
}

function withBroadcast<T>(io: CommandIo, work: (broadcast: StoredBroadcast) => Promise<T>): Promise<T> {
  const config = configOf(io);
  const { broadcastApiBase } = config;
  if (broadcastApiBase) {
    note(io, `The site asks ${broadcastApiBase} (BROADCAST_API_BASE) and does not look at what is stored here.`);
  }
  return withStore(config, ({ broadcast }) => work(broadcast));
}

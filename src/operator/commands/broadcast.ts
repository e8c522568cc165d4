import { announce, laterToday, type StoredBroadcast } from '../../broadcast/broadcast.ts';
import { openStore } from '../../leads/store/open-store.ts';
import { minute } from '../../lib/table.ts';
import type { Config } from '../config.ts';
import { type Command, type CommandIo, configOf, note, parse, print, UsageError } from './command.ts';
import { currentContent } from './content.ts';

export const broadcastCommands: readonly Command[] = [
  {
    name: 'broadcast on',
    usage: 'URL [--until HH:MM]',
    does: 'shows visitors a live broadcast; with --until, till that time of today by the clock of the company',
    async run(args, io) {
      const { values, positionals } = parse(args, { until: { type: 'string' } }, ['URL']);
      const [url] = positionals;
      const config = configOf(io);
      const announced = announce(String(url), config.integrations.videoHosts);
      if (announced === undefined) throw new UsageError(`${url} is no http or https address.`);
      const { url: shown, linkedOnly } = announced;
      const ending = values.until === undefined ? {} : { until: await readEnd(values.until, config) };
      await withBroadcast(io, (broadcast) => broadcast.set({ status: true, url: shown, ...ending }));
      if (shown !== url) note(io, `${url} is a page, which no other may frame; the site takes its player, ${shown}.`);
      if (linkedOnly) {
        const why = linkedOnly === 'host' ? `VIDEO_HOSTS lacks ${new URL(shown).host}` : 'it is not https';
        note(io, `The site links to ${shown} and does not show it: ${why}.`);
      }
    },
  },
  {
    name: 'broadcast off',
    usage: '',
    does: 'takes the link away',
    async run(args, io) {
      parse(args, {});
      await withBroadcast(io, (broadcast) => broadcast.set({ status: false }));
    },
  },
  {
    name: 'broadcast status',
    usage: '',
    does: 'says whether the broadcast is on, and where',
    async run(args, io) {
      parse(args, {});
      const state = await withBroadcast(io, (broadcast) => broadcast.read());
      const end = state.status && state.until ? ` until ${minute(state.until)}` : '';
      await print(io, [state.status ? `on ${state.url}${end}\n` : 'off\n']);
    },
  },
];

/** @throws {UsageError} if it is no time, or has passed */
async function readEnd(time: string, config: Config): Promise<string> {
  const { timeZone } = (await currentContent(config)).company.workingHours;
  const end = laterToday(time, new Date(), timeZone);
  if (end === undefined) throw new UsageError(`--until must be a time of today that is still to come, in ${timeZone}.`);
  return end;
}

async function withBroadcast<T>(io: CommandIo, work: (broadcast: StoredBroadcast) => Promise<T>): Promise<T> {
  const config = configOf(io);
  const { broadcastApiBase } = config;
  if (broadcastApiBase) {
    note(io, `The site asks ${broadcastApiBase} (BROADCAST_API_BASE) and does not look at what is stored here.`);
  }
  const store = await openStore(config);
  try {
    return await work(store.broadcast);
  } finally {
    await store.close();
  }
}

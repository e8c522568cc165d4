import { broadcastSchema, type StoredBroadcast } from '../broadcast/broadcast.ts';
import { openLeadStore } from '../leads/store/open-store.ts';
import { isEmbeddable } from '../model/player.ts';
import { type Command, type CommandIo, configOf, note, parse, print, UsageError } from './command.ts';

export const broadcastCommands: readonly Command[] = [
  {
    name: 'broadcast on',
    usage: 'URL',
    does: 'shows visitors a live broadcast',
    async run(args, io) {
      const [url] = parse(args, {}, ['URL']).positionals;
      const state = broadcastSchema.safeParse({ status: true, url });
      if (!state.success) throw new UsageError(`${url} is no http or https address.`);
      await withBroadcast(io, (broadcast) => broadcast.set(state.data));
      if (!isEmbeddable(String(url), configOf(io).integrations.videoHosts)) {
        note(io, `The site links to ${url} and does not show it: its host is none of VIDEO_HOSTS, or it is not https.`);
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
      await print(io, [state.status ? `on ${state.url}\n` : 'off\n']);
    },
  },
];

async function withBroadcast<T>(io: CommandIo, work: (broadcast: StoredBroadcast) => Promise<T>): Promise<T> {
  const config = configOf(io);
  const { broadcastApiBase } = config;
  if (broadcastApiBase) {
    note(io, `The site asks ${broadcastApiBase} (BROADCAST_API_BASE) and does not look at what is stored here.`);
  }
  const store = await openLeadStore(config);
  try {
    return await work(store.broadcast);
  } finally {
    await store.close();
  }
}

import { variantOf } from '../edition/code.ts';
import { openEditions } from '../edition/stores.ts';
import { movedAddresses } from '../http/redirects.ts';
import { openLeadStore } from '../leads/store/open-store.ts';
import { type Command, CommandError, configOf, note, parse, print } from './command.ts';
import { workshopOf } from './content.ts';

/** Lines that fit on a screen; more would be read by nobody. */
const shown = 50;

export const redirectCommands: readonly Command[] = [
  {
    name: 'redirects suggest',
    usage: '',
    does: 'lists addresses that people asked for in vain, as lines for redirects.yaml with the nearest page',
    async run(args, io) {
      parse(args, {});
      const config = configOf(io);
      const { currentEdition } = await import('../edition/fitting.ts');
      const { openEdition } = await import('../edition/open.ts');
      const { nearestPages } = await import('../search/nearest.ts');
      const leads = await openLeadStore(config, { existing: true });
      const missed = await leads.missed.list().finally(() => leads.close());
      const editions = openEditions(config.dataDir, 'serve');
      try {
        const index = currentEdition(editions, variantOf(workshopOf(config)), new Date())?.index;
        const edition = index && openEdition(index, editions);
        if (!edition) throw new CommandError('Nothing is published yet, so there is no page to lead to.');
        const movedTo = movedAddresses(edition.redirects);
        const open = missed.filter(({ path }) => edition.find(path) === undefined && movedTo(path, '') === undefined);
        const lines = open.slice(0, shown).map(({ path, times, last_at }) => {
          const [nearest] = nearestPages(edition.content(), path).pages;
          const row = `{ from: ${JSON.stringify(path)}, to: ${nearest?.path ?? ''} }`;
          const why = `${times}×, последний ${last_at.slice(0, 'yyyy-mm-dd'.length)}`;
          return nearest ? `- ${row} # ${why}: ${nearest.title}\n` : `# - ${row} ${why}, похожей страницы нет\n`;
        });
        await print(io, lines);
        if (open.length > shown) note(io, `and ${open.length - shown} more, asked for less often.`);
        if (open.length === 0) note(io, 'Nobody has asked in vain; counts are written once a minute.');
      } finally {
        editions.close();
      }
    },
  },
];

import { deskLinkDays, readDeskName } from '../leads/store/access-links.ts';
import { dayMs } from '../lib/calendar.ts';
import {
  type Command,
  CommandError,
  configOf,
  note,
  parse,
  print,
  readNumber,
  UsageError,
  withStore,
} from './command.ts';

export const deskCommands: readonly Command[] = [
  {
    name: 'desk link',
    usage: 'NAME [--days N]',
    does: `makes a link by which a person works with leads in a browser, for ${deskLinkDays.usual} days unless told otherwise`,
    async run(args, io) {
      const usual = String(deskLinkDays.usual);
      const { values, positionals } = parse(args, { days: { type: 'string', default: usual } }, ['NAME']);
      const name = readName(positionals[0]);
      const days = readNumber(values.days, '--days');
      if (days > deskLinkDays.most) throw new UsageError(`--days must be ${deskLinkDays.most} at most.`);
      const config = configOf(io);
      await withStore(config, async ({ links }) => {
        const until = new Date(Date.now() + days * dayMs).toISOString();
        const token = await links.add({ lead: null, name, until });
        await print(io, [`${config.siteUrl}/desk/link/${token}\n`]);
        note(io, `Until ${until}, whoever has it sees all leads; what they do is noted as done by ${name}.`);
      });
    },
  },
  {
    name: 'desk revoke',
    usage: 'NAME | --all',
    does: 'ends the links to the desk of a name, or all links, those in messages too; at once and on every server',
    async run(args, io) {
      const all = args.includes('--all');
      const { positionals } = parse(args, { all: { type: 'boolean' } }, all ? [] : ['NAME']);
      const name = all ? undefined : readName(positionals[0]);
      await withStore(configOf(io), async ({ links }) => {
        if (name === undefined) {
          await links.revokeAll();
          note(io, 'All links that were sent or made so far have ended; "desk link" makes one to the desk.');
          return;
        }
        if ((await links.revoke(name)) === 0) throw new CommandError(`There is no link to the desk for ${name}.`);
        note(io, `The links to the desk for ${name} have ended.`);
      });
    },
  },
];

function readName(text = ''): string {
  const name = readDeskName(text);
  if (name !== undefined) return name;
  throw new UsageError("NAME must be up to 40 letters, digits, blanks and . ' - and begin with a letter or a digit.");
}

import { deskLinkDays, readDeskName } from '../leads/store/access-links.ts';
import { dayMs } from '../lib/durations.ts';
import { type Command, configOf, note, parse, print, readNumber, UsageError, withStore } from './command.ts';

export const deskCommands: readonly Command[] = [
  {
    name: 'desk link',
    usage: 'NAME [--days N]',
    does: `creates a personal link to the desk that works for ${deskLinkDays.usual} days by default`,
    async run(args, io) {
      const usual = String(deskLinkDays.usual);
      const { values, positionals } = parse(args, { days: { type: 'string', default: usual } }, ['NAME']);
      const name = readName(positionals[0]);
      const days = readNumber(values.days, '--days');
      if (days > deskLinkDays.max) throw new UsageError(`--days must be ${deskLinkDays.max} at most.`);
      const config = configOf(io);
      await withStore(config, async ({ links }) => {
        const until = new Date(Date.now() + days * dayMs).toISOString();
        const token = await links.add({ lead: null, name, until });
        await print(io, [`${config.siteUrl}/desk/link/${token}\n`]);
        note(io, `The link gives access to all leads until ${until}. Actions are recorded as ${name}.`);
      });
    },
  },
  {
    name: 'desk revoke',
    usage: 'NAME | --all',
    does: 'revokes the desk links of NAME, or all links including those in messages, at once and on every server',
    async run(args, io) {
      const all = args.includes('--all');
      const { positionals } = parse(args, { all: { type: 'boolean' } }, all ? [] : ['NAME']);
      const name = all ? undefined : readName(positionals[0]);
      await withStore(configOf(io), async ({ links }) => {
        if (name === undefined) {
          await links.revokeAll();
          note(io, 'All links are revoked. "desk link" creates a new one.');
          return;
        }
        if ((await links.revoke(name)) === 0) throw new Error(`${name} has no desk link.`);
        note(io, `The desk links of ${name} are revoked.`);
      });
    },
  },
];

function readName(text = ''): string {
  const name = readDeskName(text);
  if (name !== undefined) return name;
  throw new UsageError("NAME must be up to 40 letters, digits, blanks and . ' - and begin with a letter or a digit.");
}

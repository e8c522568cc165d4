import { localTime } from '../lib/calendar.ts';
import {
  type Command,
  configOf,
  note,
  parse,
  print,
  printable,
  readPhoneArgument,
  readRange,
  UsageError,
  withStore,
} from './command.ts';
import { currentContent } from './content-commands.ts';
import { destructionAct } from './destruction-act.ts';
import { findPersonalData, personalDataJson, personalDataText } from './personal-data.ts';

export const privacyCommands: readonly Command[] = [
  {
    name: 'leads find',
    usage: 'PHONE [--json]',
    does: 'writes what is known of a phone number, as a letter to its owner in Russian, or as JSON',
    async run(args, io) {
      const { values, positionals } = parse(args, { json: { type: 'boolean' } }, ['PHONE']);
      const phone = readPhoneArgument(positionals[0]);
      const config = configOf(io);
      const data = await withStore(config, (store) => findPersonalData(store, phone, config.retention));
      if (values.json) return print(io, [personalDataJson(data)]);
      const content = await currentContent(config);
      const letter = personalDataText(data, { content, siteUrl: config.siteUrl, now: new Date() });
      await print(io, letter.map(printableLines));
    },
  },
  {
    name: 'leads act',
    usage: '--from DAY --to DAY',
    does:
      'writes the act of destruction of personal data and its log, by order no. 179 of Roskomnadzor, in Russian; days ' +
      'are those of the company, such as 2026-11-20, and both are included',
    async run(args, io) {
      const day = { type: 'string', default: '' } as const;
      const { from, to } = parse(args, { from: day, to: day }).values;
      const config = configOf(io);
      const { company } = await currentContent(config);
      const { timeZone } = company.workingHours;
      const { since, until } = readRange({ from, to }, timeZone);
      if (since === undefined || until === undefined) throw new UsageError('--from and --to are both needed.');
      await withStore(config, async ({ sql, destructions }) => {
        const found = await destructions.within({ since, until });
        if (found.length === 0) return note(io, 'Nothing was destroyed on these days.');
        const today = localTime(new Date(), timeZone).date;
        const { siteUrl } = config;
        await print(
          io,
          destructionAct({ destructions: found, from, to, today, company, siteUrl, dialect: sql.dialect }),
        );
      });
    },
  },
];

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

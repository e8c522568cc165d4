import { channelNames } from '../leads/channels/configured.ts';
import { orderChannels, releaseLead } from '../leads/channels/escalation.ts';
import { keepErasures } from '../leads/store/erasures.ts';
import { leadsToCsv, leadsToJsonLines } from '../leads/store/export.ts';
import { userName } from '../lib/user-name.ts';
import {
  type Command,
  CommandError,
  configOf,
  count,
  note,
  parse,
  print,
  printable,
  readNumber,
  readPhoneArgument,
  readRange,
  withStore,
} from './command.ts';
import { currentContent } from './content-commands.ts';

export const leadCommands: readonly Command[] = [
  {
    name: 'leads list',
    usage: '[--quarantined] [--limit N]',
    does: 'shows the newest leads, or those in quarantine, 20 by default: number, time, state, phone, name',
    async run(args, io) {
      const { values } = parse(args, {
        quarantined: { type: 'boolean' },
        limit: { type: 'string', default: '20' },
      });
      const limit = readNumber(values.limit, '--limit');
      await withStore(configOf(io), async ({ leads }) => {
        const found = await leads.list({ ...(values.quarantined && { state: 'quarantined' }), limit });
        const lines = found.map(({ number, receivedAt, state, phone, name }) => {
          const cells = [String(number), receivedAt, state, phone, name ?? ''];
          return `${cells.map(printable).join('\t')}\n`;
        });
        await print(io, lines);
        if (found.length === 0) note(io, 'No leads.');
      });
    },
  },
  {
    name: 'leads show',
    usage: 'NUMBER',
    does: 'shows one lead and its deliveries as JSON',
    async run(args, io) {
      const { positionals } = parse(args, {}, ['NUMBER']);
      const number = readNumber(positionals[0], 'NUMBER');
      await withStore(configOf(io), async ({ leads, deliveries }) => {
        const lead = await leads.find(number);
        if (lead === undefined)
          throw new CommandError(`There is no lead ${number}; "leads list" shows which there are.`);
        const whole = { ...lead, deliveries: await deliveries.of(number) };
        await print(io, [`${JSON.stringify(whole, null, 2)}\n`]);
      });
    },
  },
  {
    name: 'leads release',
    usage: 'NUMBER…',
    does: 'releases leads from quarantine and sends their notifications',
    async run(args, io) {
      const numbers = parse(args, {}, ['NUMBER…']).positionals.map((text) => readNumber(text, 'NUMBER'));
      const config = configOf(io);
      await withStore(config, async ({ deliveries }) => {
        const channelOrder = orderChannels(channelNames(config.channels), config.escalation);
        const { workingHours } = (await currentContent(config)).company;
        const notified = channelOrder.atOnce.join(', ') || 'no channel, because none is configured';
        const others: number[] = [];
        for (const number of numbers) {
          const released = await releaseLead(deliveries, number, channelOrder, workingHours);
          if (released) note(io, `Lead ${number} is released; it goes to ${notified}.`);
          else others.push(number);
        }
        if (others.length > 0) throw new CommandError(`Not in quarantine: ${others.join(', ')}.`);
      });
    },
  },
  {
    name: 'leads erase',
    usage: 'PHONE [--yes]',
    does: 'erases every lead of a phone number; needs --yes if there are several',
    async run(args, io) {
      const { values, positionals } = parse(args, { yes: { type: 'boolean' } }, ['PHONE']);
      const phone = readPhoneArgument(positionals[0]);
      const config = configOf(io);
      await withStore(config, async ({ sql, leads }) => {
        const known = await leads.count({ phone });
        if (known > 1 && !values.yes) {
          throw new CommandError(`There are ${known} leads of ${phone}; to erase them all, add --yes.`);
        }
        // Even without leads, because an interrupted erasure may have left something in the file.
        const erased = await leads.erase(phone, userName());
        await keepErasures(sql, config.dataDir, userName());
        note(io, erased === 0 ? `There is no lead of ${phone}.` : `${count(erased, 'lead')} of ${phone} erased.`);
        if (erased > 0) note(io, 'Backups, mailboxes and chats still hold their copies.');
      });
    },
  },
  {
    name: 'leads export',
    usage: '[--from DAY] [--to DAY] [--json]',
    does:
      'writes all leads, or those of some days, in quarantine too, oldest first: CSV for spreadsheets, or JSON lines; ' +
      'days are those of the company, such as 2026-11-20, and both are included',
    async run(args, io) {
      const day = { type: 'string', default: '' } as const;
      const { values } = parse(args, { from: day, to: day, json: { type: 'boolean' } });
      const config = configOf(io);
      await withStore(config, async ({ leads }) => {
        // Without days, the published content is not needed.
        const timeZone =
          values.from || values.to ? (await currentContent(config)).company.workingHours.timeZone : 'UTC';
        const found = leads.all(readRange(values, timeZone));
        await print(io, values.json ? leadsToJsonLines(found) : leadsToCsv(found));
      });
    },
  },
];

import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { channelNames } from '../leads/channels/configured.ts';
import { keepErasures } from '../leads/store/erasures.ts';
import { type Days, leadsToCsv, leadsToJsonLines } from '../leads/store/export.ts';
import type { Range } from '../leads/store/lead.ts';
import { asciiMail } from '../lib/mail-address.ts';
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
  UsageError,
  withStore,
} from './command.ts';
import { currentContent } from './content-commands.ts';

export const leadCommands: readonly Command[] = [
  {
    name: 'leads list',
    usage: '[--quarantined] [--before NUMBER] [--limit N]',
    does: 'shows the newest leads, or those in quarantine, 20 by default: number, time, state, phone, name',
    async run(args, io) {
      const { values } = parse(args, {
        quarantined: { type: 'boolean' },
        before: { type: 'string' },
        limit: { type: 'string', default: '20' },
      });
      const limit = readNumber(values.limit, '--limit');
      // Only the number orders this list.
      const after =
        values.before === undefined ? undefined : { number: readNumber(values.before, '--before'), since: '' };
      await withStore(configOf(io), async ({ leads }) => {
        const state = values.quarantined ? 'quarantined' : undefined;
        const found = await leads.list({ state, after, limit: limit + 1 });
        const shown = found.slice(0, limit);
        const lines = shown.map(({ number, receivedAt, state, phone, name }) => {
          const cells = [String(number), receivedAt, state, phone, name ?? ''];
          return `${cells.map(printable).join('\t')}\n`;
        });
        await print(io, lines);
        if (found.length === 0) note(io, 'No leads.');
        if (found.length > limit) note(io, `There are older ones; continue with "--before ${shown.at(-1)?.number}".`);
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
      await withStore(config, async ({ leads }) => {
        const channels = channelNames(config.channels).filter((name) => !config.escalation.includes(name));
        const hours = (await currentContent(config)).company.workingHours;
        const notified = channels.join(', ') || 'no channel, because none is configured';
        const others: number[] = [];
        for (const number of numbers) {
          const event = { eventName: 'release', by: 'command', key: randomUUID(), text: '' } as const;
          const acted = await leads.act(number, event, { hours, channels });
          if (acted?.changed) note(io, `Lead ${number} is released; it goes to ${notified}.`);
          else others.push(number);
        }
        if (others.length > 0) throw new CommandError(`Not in quarantine: ${others.join(', ')}.`);
      });
    },
  },
  {
    name: 'leads resend',
    usage: '--channel NAME [--from DAY] [--to DAY] | --channel NAME NUMBER…',
    does:
      'sends given-up notifications of new leads again, of all leads, of those received on some days, or of those named; ' +
      'a receiver that already has one recognizes its id',
    async run(args, io) {
      const options = { ...dayOptions, channel: { type: 'string', default: '' } } as const;
      const { values, positionals } = parse(args, options, ['[NUMBER…]']);
      const numbers = positionals.map((text) => readNumber(text, 'NUMBER'));
      if (numbers.length > 0 && (values.from || values.to)) throw new UsageError('Give days or numbers, not both.');
      const config = configOf(io);
      // As the channel of a mailbox is named.
      const channel = asciiMail(values.channel.toLowerCase());
      requireChannel(channel, channelNames(config.channels));
      const by = { by: 'command', key: randomUUID() };
      await withStore(config, async ({ deliveries }) => {
        const ranges = numbers.length > 0 ? numbers.map((number) => ({ number })) : [await rangeIn(values, config)];
        const resent: number[] = [];
        for (const range of ranges) resent.push(...(await deliveries.resend(channel, range, by)));
        const others = numbers.filter((number) => !resent.includes(number));
        note(io, `${count(resent.length, 'lead')} will be sent to ${channel} again.`);
        if (others.length > 0) throw new CommandError(`Not given up for ${channel}: ${others.join(', ')}.`);
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
      const { values } = parse(args, { ...dayOptions, json: { type: 'boolean' } });
      const config = configOf(io);
      await withStore(config, async ({ leads }) => {
        const found = leads.all(await rangeIn(values, config));
        await print(io, values.json ? leadsToJsonLines(found) : leadsToCsv(found));
      });
    },
  },
];

const dayOptions = { from: { type: 'string', default: '' }, to: { type: 'string', default: '' } } as const;

async function rangeIn(days: Days, config: Config): Promise<Range> {
  // Without days, the published content is not needed.
  const timeZone = days.from || days.to ? (await currentContent(config)).company.workingHours.timeZone : 'UTC';
  return readRange(days, timeZone);
}

function requireChannel(name: string, configured: readonly string[]): void {
  if (name === '') throw new UsageError('--channel is missing.');
  if (configured.includes(name)) return;
  const known = configured.length > 0 ? `configured: ${configured.join(', ')}` : 'none is configured';
  throw new CommandError(`There is no channel ${name}; ${known}.`);
}

import { channelNames } from '../../leads/channels/configured.ts';
import { planFor, type Roster, rosterOf } from '../../leads/channels/duty.ts';
import { readPhone } from '../../leads/form/phone.ts';
import {
  deliveryTable,
  leadDetails,
  leadsToCsv,
  leadsToJsonLines,
  leadTable,
  rangeOf,
} from '../../leads/store/export.ts';
import type { Lead, LeadState } from '../../leads/store/lead.ts';
import type { Leads } from '../../leads/store/leads.ts';
import type { Store } from '../../leads/store/open-store.ts';
import { type Command, CommandError, count, note, parse, print, readNumber, UsageError, withLeads } from './command.ts';
import { currentContent } from './content.ts';

export const leadCommands: readonly Command[] = [
  {
    name: 'leads list',
    usage: '[--quarantined] [--limit N] [--json]',
    does: 'shows the newest leads that are not in quarantine, or those in it, 20 unless told otherwise',
    async run(args, io) {
      const { values } = parse(args, {
        quarantined: { type: 'boolean' },
        limit: { type: 'string', default: '20' },
        json: { type: 'boolean' },
      });
      const limit = readNumber(values.limit, '--limit');
      await withLeads(io, async (store) => {
        const found = await newest(store.leads, values.quarantined ? ['quarantined'] : ['new', 'taken'], limit + 1);
        const leads = found.slice(0, limit);
        const undelivered = await givenUp(store, leads);
        if (values.json) {
          const lines = leads.map((lead) => ({ ...lead, undelivered: undelivered.get(lead.number) ?? [] }));
          await print(io, leadsToJsonLines(lines));
        } else await print(io, [leadTable(leads, new Date(), undelivered)]);
        if (leads.length === 0) note(io, 'There are none.');
        if (found.length > limit) note(io, `Only the newest ${limit} are shown; for more, add --limit N.`);
        if (!values.quarantined && (await store.leads.count({ state: 'quarantined' })) > 0) {
          note(io, 'Some leads are in quarantine: look through them with "leads list --quarantined".');
        }
      });
    },
  },
  {
    name: 'leads show',
    usage: 'NUMBER [--json]',
    does: 'shows all that is known about one lead, and who was told of it',
    async run(args, io) {
      const { values, positionals } = parse(args, { json: { type: 'boolean' } }, ['NUMBER']);
      const number = readNumber(positionals[0], 'NUMBER');
      await withLeads(io, async (store) => {
        const lead = (await store.leads.find(number)) ?? missing(number);
        const deliveries = await store.deliveries.of(number);
        const whole = { ...lead, deliveries };
        if (values.json) return print(io, leadsToJsonLines([whole]));
        const told = deliveries.length > 0 ? `\n${deliveryTable(deliveries)}` : '';
        await print(io, [leadDetails(lead), told]);
      });
    },
  },
  {
    name: 'leads release',
    usage: 'NUMBER…',
    does: 'lets leads out of quarantine and tells whoever would have been told when they came',
    async run(args, io) {
      const numbers = readNumbers(parse(args, {}, ['NUMBER…']).positionals);
      await withLeads(io, async (store, config) => {
        const roster = rosterOf(channelNames(config.channels), config.escalation);
        const { workingHours } = (await currentContent(config)).company;
        await forEach(numbers, async (number) => {
          if (!(await store.deliveries.release(number, planFor(new Date(), false, roster, workingHours)))) {
            const lead = (await store.leads.find(number)) ?? missing(number);
            throw new CommandError(`Lead ${number} is not in quarantine: it is ${lead.state}.`);
          }
          note(io, `Lead ${number} is out of quarantine${told(roster)}.`);
        });
      });
    },
  },
  {
    name: 'leads redeliver',
    usage: 'NUMBER… [--channel NAME]',
    does: 'tells of leads once more: the channel, or all that are told at once',
    async run(args, io) {
      const { values, positionals } = parse(args, { channel: { type: 'string' } }, ['NUMBER…']);
      const numbers = readNumbers(positionals);
      await withLeads(io, async (store, config) => {
        const names = channelNames(config.channels);
        const channels = values.channel === undefined ? rosterOf(names, config.escalation).atOnce : [values.channel];
        const unknown = channels.find((name) => !names.includes(name));
        if (unknown !== undefined) {
          throw new CommandError(`"${unknown}" is no configured channel; there are: ${names.join(', ') || 'none'}.`);
        }
        if (channels.length === 0) throw new CommandError('No channel is configured, so nobody can be told.');
        await forEach(numbers, async (number) => {
          if (!(await store.deliveries.redeliver(number, channels))) missing(number);
          note(io, `Lead ${number} goes to ${channels.join(', ')}.`);
        });
      });
    },
  },
  {
    name: 'leads erase',
    usage: 'PHONE [--yes]',
    does: 'removes every lead of a phone number for good; several only with --yes',
    async run(args, io) {
      const { values, positionals } = parse(args, { yes: { type: 'boolean' } }, ['PHONE']);
      const phone = readPhone(positionals[0] ?? '');
      if (phone === undefined) throw new UsageError(`"${positionals[0]}" is no phone number.`);
      await withLeads(io, async (store) => {
        const known = await store.leads.count({ phone });
        if (known > 1 && !values.yes) {
          throw new CommandError(`There are ${known} leads of ${phone}; to erase them all, add --yes.`);
        }
        // Even if there is no lead: an erasure that was interrupted may have left something in the file.
        const erased = await store.leads.erase(phone);
        note(io, erased === 0 ? `There is no lead of ${phone}.` : `${count(erased, 'lead')} of ${phone} erased.`);
        if (erased > 0) note(io, 'Backups, mail and chats still have what they were given before.');
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
      await withLeads(io, async (store, config) => {
        // The time zone comes from the published content, which is not needed without days.
        const timeZone =
          values.from || values.to ? (await currentContent(config)).company.workingHours.timeZone : 'UTC';
        const read = rangeOf(values, timeZone);
        if ('wrong' in read) {
          const flags = read.wrong.map((bound) => `--${bound}`).join(' and ');
          throw new UsageError(`${flags} must be a day such as 2026-11-20, and --to not before --from.`);
        }
        const leads = store.leads.all(read.range);
        await print(io, values.json ? leadsToJsonLines(leads) : leadsToCsv(leads));
      });
    },
  },
];

async function newest(leads: Leads, states: readonly LeadState[], limit: number): Promise<Lead[]> {
  const found = await Promise.all(states.map((state) => leads.list({ state, limit })));
  return found
    .flat()
    .sort((a, b) => b.number - a.number)
    .slice(0, limit);
}

/** Channels that were given up on and not told since, by the number of the lead. */
async function givenUp({ deliveries }: Store, leads: readonly Lead[]): Promise<Map<number, string[]>> {
  const undelivered = new Map<number, string[]>();
  if (!(await deliveries.open()).some(({ state }) => state === 'dead')) return undelivered;
  for (const { number } of leads) {
    const last = new Map((await deliveries.of(number)).map(({ channel, state }) => [channel, state]));
    const dead = [...last.keys()].filter((channel) => last.get(channel) === 'dead');
    if (dead.length > 0) undelivered.set(number, dead);
  }
  return undelivered;
}

function readNumbers(texts: readonly string[]): number[] {
  return texts.map((text) => readNumber(text, 'NUMBER'));
}

/** Goes on to the next one if one fails. @throws {CommandError} at the end, with all failures */
async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  for (const one of all) {
    await work(one).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      failures.push(error.message);
    });
  }
  if (failures.length > 0) throw new CommandError(failures.join('\n'));
}

function told({ atOnce }: Roster): string {
  return atOnce.length > 0 ? `; it goes to ${atOnce.join(', ')}` : ', but no channel is configured to tell anybody';
}

function missing(number: number): never {
  throw new CommandError(`There is no lead ${number}; "leads list" shows which there are.`);
}

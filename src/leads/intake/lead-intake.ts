import type { Logger } from 'pino';
import { minuteMs } from '../../lib/durations.ts';
import { outage } from '../../lib/outage.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import type { Channel, Notification } from '../channels/channel.ts';
import { orderChannels, planFor, scheduleFor, startEscalation } from '../channels/escalation.ts';
import { startOutbox } from '../channels/outbox.ts';
import { assess } from '../spam/spam.ts';
import { isCanary } from '../store/canaries.ts';
import type { Deliveries, Delivery } from '../store/deliveries.ts';
import type { Lead, LeadEvent, NewLead, Plan } from '../store/lead.ts';
import type { Leads, NewEvent } from '../store/leads.ts';
import { StoreError } from '../store/store-error.ts';

/** `desk-router.ts` has the pages. */
export type LeadIntake = {
  /**
   * Resolves once the lead and its deliveries are on disk.
   *
   * @param form.consentText stored with the lead unless it is stored already
   */
  receive(lead: NewLead, form: { renderedAt: Date | undefined; consentText?: string | undefined }): Promise<Lead>;
  /**
   * Records what a person at the company did with a lead, and schedules what follows; see `Leads.act`.
   *
   * @param callAt when to call again, moved into working hours
   */
  act(number: number, event: NewEvent, callAt?: Date): ReturnType<Leads['act']>;
  /** Sends the given-up notification of a lead again. False if there is none, or the channel is not configured. */
  resend(number: number, channel: string, by: Pick<LeadEvent, 'by' | 'key'>): Promise<boolean>;
  /** Names of the configured channels. */
  channels: readonly string[];
  /** Waits for deliveries in flight. */
  stop(): Promise<void>;
};

export type LeadIntakeOptions = {
  leads: Leads;
  deliveries: Deliveries;
  channels: readonly Channel[];
  /** See `orderChannels`. */
  later: readonly string[];
  content: () => Content;
  siteUrl: string;
  logger: Logger;
  /** Once for each lead, for metrics. */
  onLead?: (outcome: 'waiting' | 'quarantined') => void;
};

export function startLeadIntake(options: LeadIntakeOptions): LeadIntake {
  const { leads, deliveries, channels, later, content, siteUrl, logger, onLead } = options;
  const hours = () => content().company.workingHours;
  const names = channels.map(({ name }) => name);
  const channelOrder = orderChannels(names, later);

  const notification = ({ id, reason, lead, token }: Delivery): Notification => ({
    deliveryId: id,
    reason,
    lead,
    presetTitle: presetTitle(content(), lead.preset),
    takeUrl: `${siteUrl}/take/${token}`,
  });

  const outbox = startOutbox({ queue: deliveries, channels, notification, logger });
  const joining = channels.flatMap(({ name, joins }) => (joins && channelOrder.atOnce.includes(name) ? name : []));
  const escalation = startEscalation({ deliveries, channelOrder, joining, hours, logger, wake: outbox.wake });
  const storeOutage = outage((error, refused) => {
    if (error) logger.error({ err: error }, 'leads cannot be stored; visitors are asked to call');
    else logger.info({ refused }, 'leads can be stored again');
  });

  async function store(lead: NewLead, plan: Plan): ReturnType<Leads['add']> {
    try {
      const kept = await leads.add(lead, plan);
      storeOutage.over();
      return kept;
    } catch (error) {
      if (error instanceof StoreError) storeOutage.failed(error);
      throw error;
    }
  }

  return {
    async receive(lead, { renderedAt, consentText }) {
      const now = new Date();
      const { signals, quarantined } = assess(lead, { signals: lead.signals, renderedAt, now });
      // So that hundreds ring once a minute, joined.
      const at = signals.includes('crowd') ? nextMinute(now) : now;
      const plan = { ...planFor(at, quarantined, channelOrder, hours()), consentText };
      const kept = await store({ ...lead, signals }, plan);
      if (isCanary(lead)) return kept;
      if (!kept.repeated) onLead?.(quarantined ? 'quarantined' : 'waiting');
      // After the response, because claiming waits for the disk once per channel.
      setImmediate(outbox.wake);
      return kept;
    },
    async act(number, event, callAt) {
      const { kind, by } = event;
      const acted = await leads.act(number, event, scheduleFor(event, new Date(), channelOrder, hours(), callAt));
      if (!acted?.changed) return acted;
      logger.info({ lead: number, by: authorOf(by) }, logMessages[kind]);
      if (kind === 'release') outbox.wake();
      // A returned lead may be due at once.
      if (kind === 'return') escalation.again();
      return acted;
    },
    async resend(number, channel, by) {
      const resent = names.includes(channel) && (await deliveries.resend(channel, { number }, by)).length > 0;
      if (!resent) return false;
      logger.info({ lead: number, by: authorOf(by.by), channel }, 'notification sent again');
      outbox.wake();
      return true;
    },
    channels: names,
    async stop() {
      await escalation.stop();
      await outbox.stop();
    },
  };
}

const logMessages: Readonly<Record<NewEvent['kind'], string>> = {
  release: 'lead released',
  take: 'lead taken',
  talked: 'lead done',
  notOurs: 'lead done, not a customer',
  missed: 'call not answered',
  return: 'lead returned',
  note: 'note written',
};

function authorOf(by: string): string {
  return by.replace(/^desk:/, '');
}

function nextMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / minuteMs) * minuteMs);
}

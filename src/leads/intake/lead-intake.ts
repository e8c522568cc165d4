import type { Logger } from 'pino';
import { minuteMs } from '../../lib/durations.ts';
import { outage } from '../../lib/outage.ts';
import type { Content } from '../../model/content.ts';
import { presetTitle } from '../../model/preset-title.ts';
import type { Channel } from '../channels/channel.ts';
import { orderChannels, startEscalation } from '../channels/escalation.ts';
import { startOutbox } from '../channels/outbox.ts';
import type { Notification } from '../messages/notification.ts';
import { assess } from '../spam/spam.ts';
import { isCanary } from '../store/canaries.ts';
import type { Deliveries, Delivery } from '../store/deliveries.ts';
import type { Arrival, Lead, NewLead } from '../store/lead.ts';
import { type LeadEvent, leadEvents, reminderAfter } from '../store/lead-events.ts';
import type { Leads, NewEvent } from '../store/leads.ts';
import { StoreError } from '../store/sql.ts';

type LeadIntakeOptions = {
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

type SentForm = { renderedAt: Date | undefined; consentText?: string | undefined };

export type LeadIntake = ReturnType<typeof startLeadIntake>;

export function startLeadIntake(options: LeadIntakeOptions) {
  const { leads, deliveries, channels, later, content, siteUrl, logger, onLead } = options;
  const hours = () => content().company.workingHours;
  const names = channels.map(({ name }) => name);
  const order = orderChannels(channels, later);

  const notification = ({ id, reason, lead, token }: Delivery): Notification => ({
    deliveryId: id,
    reason,
    lead,
    presetTitle: presetTitle(content(), lead.preset),
    takeUrl: `${siteUrl}/take/${token}`,
  });

  const outbox = startOutbox({ queue: deliveries, channels, notification, logger });
  const escalation = startEscalation({ deliveries, order, hours, logger, wake: outbox.wake });
  const storeOutage = outage((error, refused) => {
    if (error) logger.error({ err: error }, 'leads cannot be stored; visitors are asked to call');
    else logger.info({ refused }, 'leads can be stored again');
  });

  async function store(lead: NewLead, arrival: Arrival): ReturnType<Leads['add']> {
    try {
      const kept = await leads.add(lead, arrival);
      storeOutage.over();
      return kept;
    } catch (error) {
      if (error instanceof StoreError) storeOutage.failed(error);
      throw error;
    }
  }

  return {
    /**
     * Resolves once the lead and its deliveries are on disk.
     *
     * @param form.consentText stored with the lead unless it is stored already
     */
    async receive(lead: NewLead, { renderedAt, consentText }: SentForm): Promise<Lead> {
      const now = new Date();
      const { signals, quarantined } = assess(lead, { signals: lead.signals, renderedAt, now });
      // During a burst, notifications are batched once a minute.
      const at = signals.includes('shared-address') ? nextMinute(now) : now;
      const notifyAt = at.toISOString();
      const remindAt = reminderAfter('release', hours(), at);
      const arrival = { quarantined, consentText, channels: order.atOnce, notifyAt, remindAt };
      const kept = await store({ ...lead, signals }, arrival);
      if (isCanary(lead)) return kept;
      if (!kept.repeated) onLead?.(quarantined ? 'quarantined' : 'waiting');
      // After the response, because claiming waits for the disk once per channel.
      setImmediate(outbox.wake);
      return kept;
    },
    /**
     * Records what a person at the company did with a lead; see `leadEvents`.
     *
     * @param callAt when to call again, moved into working hours
     */
    async act(number: number, event: NewEvent, callAt?: Date): ReturnType<Leads['act']> {
      const acted = await leads.act(number, event, { hours: hours(), channels: order.atOnce, callAt });
      if (!acted?.changed) return acted;
      const { log, notifies, callsAgain } = leadEvents[event.eventName];
      logger.info({ lead: number, by: authorOf(event) }, log);
      if (notifies) outbox.wake();
      // The call may be due at once.
      if (callsAgain) escalation.again();
      return acted;
    },
    /** Sends the given-up notification of a lead again. False if there is none, or the channel is not configured. */
    async resend(number: number, channel: string, by: Pick<LeadEvent, 'by' | 'key'>): Promise<boolean> {
      const resent = names.includes(channel) && (await deliveries.resend(channel, { number }, by)).length > 0;
      if (!resent) return false;
      logger.info({ lead: number, by: authorOf(by), channel }, leadEvents.resend.log);
      outbox.wake();
      return true;
    },
    /** Names of the configured channels. */
    channels: names,
    /** Waits for deliveries in flight. */
    async stop(): Promise<void> {
      await escalation.stop();
      await outbox.stop();
    },
  };
}

function authorOf({ by }: Pick<LeadEvent, 'by'>): string {
  return by.replace(/^desk:/, '');
}

function nextMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / minuteMs) * minuteMs);
}

import type { DeliveryRecord, Lead } from './lead.ts';

/** A message on its way, claimed by this process. */
export type Delivery = Pick<DeliveryRecord, 'id' | 'channel' | 'reason'> & {
  lead: Lead;
  /** Of a link to the lead, made for this attempt and kept nowhere. */
  token: string;
  /** Counts this attempt, too. */
  attempts: number;
};

/**
 * How an attempt ended. Without `retryAt`, a delivery that failed is not tried again. `uncounted`: it was none, because
 * the other side took no messages at all.
 */
export type Outcome = { id: string; at: string } & (
  | { delivered: true }
  | { error: string; retryAt: string | null; uncounted?: true }
);

/** Where deliveries wait; the same store that keeps leads. Several processes may share it. */
export interface DeliveryQueue {
  /**
   * Takes deliveries of a channel that are due, the longest overdue first, and counts an
   * attempt of each. Until `leaseUntil` no other process gets them; then they are due again,
   * for a process that has not come back with an outcome has died. One that is due after `latest`
   * was put off by a clock that went wrong, and is due, too. `newest`: those of the newest leads first.
   */
  claim(
    channel: string,
    options: { limit: number; now: string; latest: string; leaseUntil: string; newest?: boolean },
  ): Promise<Delivery[]>;
  settle(outcomes: readonly Outcome[]): Promise<void>;
}

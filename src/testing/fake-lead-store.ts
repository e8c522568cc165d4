import type { LeadStore, NewLead, Receipt } from '../leads/store/lead.ts';
import { StoreError } from '../lib/store-error.ts';

/** A store that keeps leads in memory, with what the test cares about put in its place. */
export function fakeLeadStore(about: Partial<LeadStore> = {}): LeadStore & { added: NewLead[] } {
  const added: NewLead[] = [];
  return {
    added,
    add: async (lead) => receiptOf(lead, added.push(lead)),
    receipt: async () => undefined,
    find: async () => undefined,
    list: async () => [],
    async *all() {},
    recent: async () => ({ sameMessage: 0 }),
    count: async () => 0,
    take: async () => undefined,
    note: async () => false,
    release: async () => false,
    redeliver: async () => false,
    digest: async () => 0,
    deliveries: async () => [],
    untaken: async () => [],
    escalate: async () => false,
    erase: async () => 0,
    expire: async () => ({ stripped: 0, removed: 0 }),
    keepConsentText: async () => {},
    believed: async () => null,
    believe: async () => {},
    stats: async () => ({ leads: { new: 0, taken: 0, quarantined: 0 }, oldestUntaken: null, deliveries: [] }),
    probe: async () => {},
    close: async () => {},
    ...about,
  };
}

function receiptOf({ preset, calculation }: NewLead, number: number): Receipt {
  return {
    number,
    receipt: `receipt-${number}`,
    receivedAt: '2026-11-20T09:00:00.000Z',
    preset,
    calculation,
    takenAt: null,
  };
}

/** A store whose disk has failed. */
export function brokenLeadStore(): LeadStore {
  const fail = async () => {
    throw new StoreError('Nothing can be written to the database: the disk is full; free some space');
  };
  return fakeLeadStore({ add: fail, receipt: fail, find: fail, list: fail, recent: fail, take: fail, probe: fail });
}

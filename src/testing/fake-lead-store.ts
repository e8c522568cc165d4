import { type LeadStore, type NewLead, type Receipt, StoreError } from '../leads/lead.ts';

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
    check: async () => {},
    close: async () => {},
    ...about,
  };
}

function receiptOf({ preset }: NewLead, number: number): Receipt {
  return { number, receipt: `receipt-${number}`, receivedAt: '2026-11-20T09:00:00.000Z', preset };
}

/** A store whose disk has failed. */
export function brokenLeadStore(): LeadStore {
  const fail = async () => {
    throw new StoreError('Nothing can be written to the database: the disk is full; free some space');
  };
  return fakeLeadStore({ add: fail, receipt: fail, find: fail, list: fail, check: fail });
}

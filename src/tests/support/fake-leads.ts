import type { NewLead } from '../../leads/store/lead.ts';
import type { Leads } from '../../leads/store/leads.ts';
import { StoreError } from '../../leads/store/sql.ts';
import { keptLead } from './sample-leads.ts';

/** Leads in memory; `about` overrides methods. */
export function fakeLeads(about: Partial<Leads> = {}): Leads & { added: NewLead[] } {
  const added: NewLead[] = [];
  return {
    added,
    add: async (lead) => keptLead({ ...lead, number: added.push(lead), receipt: `receipt-${added.length}` }),
    consentText: async () => undefined,
    receipt: async () => undefined,
    removeCanary: async () => false,
    find: async () => undefined,
    list: async () => [],
    async *all() {},
    count: async () => 0,
    act: async () => undefined,
    erase: async () => 0,
    oldestUntaken: async () => undefined,
    probe: async () => {},
    ...about,
  };
}

/** Leads whose disk fails. */
export function brokenLeads(): Leads {
  const fail = async () => {
    throw new StoreError('Nothing can be written to the database: the disk is full; free some space');
  };
  return fakeLeads({ add: fail, consentText: fail, receipt: fail, find: fail, list: fail, act: fail, probe: fail });
}

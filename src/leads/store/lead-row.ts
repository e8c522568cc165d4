import { forgotten, type Lead, type LeadState } from './lead.ts';

/** What a row of `lead` has for people. */
export type LeadRow = {
  number: number;
  receipt: string;
  state: LeadState;
  received_at: string;
  taken_at: string | null;
  taken_by: string | null;
  preset: string;
  phone: string;
  page: string;
  consent: string;
  details: string;
  notes: string;
};

export function toLead(row: LeadRow): Lead {
  const { number, receipt, state, preset, phone, page, consent } = row;
  return {
    ...forgotten,
    ...JSON.parse(row.details),
    number,
    receipt,
    state,
    receivedAt: row.received_at,
    takenAt: row.taken_at,
    takenBy: row.taken_by,
    preset,
    phone,
    page,
    consent,
    notes: JSON.parse(row.notes),
  };
}

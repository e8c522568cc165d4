import { type Details, type Lead, strippedDetails } from './lead.ts';

export const leadColumns = `number, receipt, state, received_at AS "receivedAt", taken_at AS "takenAt",
  taken_by AS "takenBy", preset, phone, page, consent, details, notes`;

export type LeadRow = Omit<Lead, keyof Details | 'notes'> & { details: string; notes: string };

export function toLead({ details, notes, ...row }: LeadRow): Lead {
  return { ...row, ...strippedDetails, ...JSON.parse(details), notes: JSON.parse(notes) };
}

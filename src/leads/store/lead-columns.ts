import { createHash, randomBytes } from 'node:crypto';
import type { Row, Values } from '../../lib/sql.ts';
import { type Lead, leadColumns, type NewLead, type Plan, type Receipt } from './lead.ts';

export const columns = Object.keys(leadColumns) as (keyof Lead)[];

/** With the name in the database: `phone_typed` for `phoneTyped`. */
const fields = columns.map((field) => {
  return { ...leadColumns[field], field, name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) };
});

const typedFields = fields.flatMap(({ field, typed }) => (typed ? [field] : []));

/** Columns that a new lead fills; the others have their defaults. */
export const newColumns = [
  ...['key', 'digest', 'escalate_at'],
  ...fields.flatMap(({ name, later }) => (later ? [] : name)),
];

/** What an UPDATE sets when only the evidence of consent is kept. */
export const stripping = fields
  .flatMap(({ name, stripped }) => (stripped === undefined ? [] : `${name} = ${stripped}`))
  .join(', ');

/** What the visitor typed, by field. */
export function typedOf(lead: Lead): Partial<Lead> {
  return Object.fromEntries(typedFields.map((field) => [field, lead[field]]));
}

export function toLead(row: Row): Lead {
  return Object.fromEntries(
    fields.map(({ field, name, json }) => [field, json ? JSON.parse(String(row[name])) : row[name]]),
  ) as Lead;
}

export function toReceipt(row: Row): Receipt {
  const { number, receipt, receivedAt, preset, calculation, takenAt } = toLead(row);
  return { number, receipt, receivedAt, preset, calculation, takenAt };
}

/** @returns a value for each of `newColumns` */
export function newRow(lead: NewLead, { quarantined, escalateAt }: Plan): Values {
  const { key, ...sent } = storable(lead) as NewLead;
  const cells: Partial<Lead> = {
    ...sent,
    // The address of the receipt page: 128 random bits.
    receipt: randomBytes(16).toString('base64url'),
    state: quarantined ? 'quarantined' : 'new',
    receivedAt: new Date().toISOString(),
  };
  const given = fields.filter(({ later }) => !later);
  const values = given.map(({ field, name, json }) => [name, json ? JSON.stringify(cells[field]) : cells[field]]);
  // Spelt so that no two different requests are spelt alike.
  const words = JSON.stringify(typedFields.map((field) => cells[field]));
  const digest = createHash('sha256').update(words).digest();
  return { ...Object.fromEntries(values), key, digest, escalate_at: quarantined ? null : escalateAt };
}

/**
 * A value as every store can hold it. PostgreSQL takes neither NUL nor half of a surrogate pair, and SQLite
 * changes the second; a visitor who sent one of them must not be refused, so a replacement character stands there.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map((entry) => entry.map(storable)));
}

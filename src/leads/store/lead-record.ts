import { createHash, randomBytes } from 'node:crypto';
import type { NewLead } from './lead.ts';

/**
 * A lead as every store can hold it. PostgreSQL takes neither NUL nor half of a surrogate pair, and SQLite
 * changes the second; whoever sent one of them must not be refused, so a replacement character stands there.
 */
export function storable(lead: NewLead): NewLead {
  return storableValue(lead) as NewLead;
}

/** As `storable`, for anything that JSON can say. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map((entry) => entry.map(storableValue)));
}

/** SHA-256 over what the visitor typed, spelt so that no two different requests are spelt alike. */
export function digest({ preset, name, phone, phoneTyped, message }: NewLead): Buffer {
  const words = JSON.stringify([preset, name, phone, phoneTyped, message]);
  return createHash('sha256').update(words).digest();
}

/** The address of a receipt page: 128 random bits. */
export function newReceipt(): string {
  return randomBytes(16).toString('base64url');
}

/** In the form that Standard Webhooks wants of a message. */
export function newDeliveryId(): string {
  return `msg_${randomBytes(16).toString('base64url')}`;
}

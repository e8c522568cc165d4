import { sha256 } from '../../lib/hash.ts';
import type { Query } from '../../lib/sql.ts';
import type { LegalDocument } from '../../model/content.ts';

export type ConsentDocument = { body: Pick<LegalDocument['body'], 'html'> };

export async function addConsentText(query: Query, hash: string, text: string): Promise<void> {
  await query('INSERT INTO consent_text (hash, text) VALUES ($1, $2) ON CONFLICT DO NOTHING', [hash, text]);
}

/** The current consent text and its hash, which every lead stores. */
export function consentOf({ body: { html: text } }: ConsentDocument): { hash: string; text: string } {
  return { hash: sha256(text), text };
}

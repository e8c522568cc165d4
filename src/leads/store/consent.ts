import { sha256 } from '../../lib/hash.ts';
import type { LegalDocument } from '../../model/content.ts';

/** What visitors agree to, as far as it is kept. */
export type ConsentDocument = { body: Pick<LegalDocument['body'], 'html'> };

/** The words that a visitor agrees to who sends a form now, and their hash, which stands in every lead. */
export function consentOf({ body: { html: text } }: ConsentDocument): { hash: string; text: string } {
  return { hash: sha256(text), text };
}

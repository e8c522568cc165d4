import { sha256 } from '../../lib/hash.ts';
import type { LegalDocument } from '../../model/content.ts';

export type ConsentDocument = { body: Pick<LegalDocument['body'], 'html'> };

/** The current consent text and its hash, which every lead stores. */
export function consentOf({ body: { html: text } }: ConsentDocument): { hash: string; text: string } {
  return { hash: sha256(text), text };
}

import { createHash } from 'node:crypto';
import type { LegalDocument } from '../../model/content.ts';
import type { Consent } from './lead.ts';

/** What visitors agree to, as far as it is kept. */
export type ConsentDocument = Pick<LegalDocument, 'version'> & { body: Pick<LegalDocument['body'], 'html'> };

/** What a visitor agrees to who sends a form now, and its words: HTML, whose hash stands in every lead. */
export function consentOf({ version, body }: ConsentDocument): {
  consent: Consent;
  text: string;
} {
  const hash = createHash('sha256').update(body.html).digest('hex');
  return { consent: { version, hash }, text: body.html };
}

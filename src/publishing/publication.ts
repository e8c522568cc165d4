import type { Hash } from '../lib/hash.ts';
import { type FailedPublication, readFailedPublication } from './failed-publication.ts';
import { readPublished } from './revisions.ts';

/** The state of the publication for editors. Times are ISO 8601 in UTC. */
export type Publication = {
  /** When what visitors see was published; `undefined` for the content that a server began with. */
  publishedAt: string | undefined;
  /** When something newer was published, if it was taken back. */
  revertedAt: string | undefined;
  /** When what cannot be shown was published, if that is the case. */
  brokenAt: string | undefined;
  failed: FailedPublication | undefined;
};

/** @param shown the revision that is served */
export function publicationOf(folder: string, shown: Hash): Publication {
  const { current, revisions } = readPublished(folder);
  const atOf = (id: Hash | null) => revisions.find((revision) => revision.id === id)?.at;
  const [newest] = revisions;
  return {
    publishedAt: atOf(shown),
    revertedAt: current !== null && newest?.id !== current ? newest?.at : undefined,
    brokenAt: current === null || current === shown ? undefined : atOf(current),
    failed: readFailedPublication(folder),
  };
}

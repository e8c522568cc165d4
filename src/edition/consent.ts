import * as schema from '../model/schema.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { companyFile } from '../reading/facts.ts';
import type { Problem } from '../reading/problem.ts';
import { contentReader } from '../reading/source.ts';
import { forgetfulMemo } from '../store/memo.ts';
import type { EditionStore } from '../store/store.ts';
import { readSnapshot } from './snapshot.ts';

const file = 'legal/consent.md';

/**
 * Whether the consent says something else than it did under the same version, in a content that was published: a lead
 * names the version that its sender agreed to. A new address in `company.yaml` changes the words, too.
 *
 * While `company.yaml` is wrong, nothing is said: the consent may lack words that stand there.
 *
 * @param store knows what was published, as far back as `publish --back` may lead
 */
export function consentProblems(
  files: ContentFiles,
  store: Pick<EditionStore, 'publications' | 'bytes' | 'hashes'>,
): Problem[] {
  const hashes = hashesIn(files);
  const contents = new Map(store.publications().map(({ snapshot, at }) => [snapshot, at]));
  const others = [...contents].flatMap(([snapshot, at]) => {
    const published = readSnapshot(snapshot, store);
    return published && hashesIn(published) !== hashes ? [{ published, at }] : [];
  });
  if (others.length === 0) return [];
  const consent = consentIn(files);
  const company = contentReader(files, forgetfulMemo()).file(companyFile, schema.companySchema);
  if (consent === undefined || company === undefined) return [];
  const { version } = consent.value;
  const other = others.find(({ published }) => {
    const before = publishedConsent(published);
    return before?.value.version === version && before.text.prose !== consent.text.prose;
  });
  if (other === undefined) return [];
  const day = other.at.slice(0, 'yyyy-mm-dd'.length);
  const message = `Текст согласия не тот, что опубликован ${day} под версией «${version}». Поставьте новую и день effective.`;
  return [{ warning: true, file, line: consent.lineOf(['version']), field: 'version', message }];
}

/** Contents in which these are the same have the same consent. */
function hashesIn(files: ContentFiles): string {
  return [file, companyFile].map((name) => files.get(name)?.hash).join();
}

function publishedConsent(files: ContentFiles) {
  try {
    return consentIn(files);
  } catch {
    // What is damaged cannot be compared, and "doctor" tells of it.
    return undefined;
  }
}

/** Read by this version of the program, so that texts differ by what editors did alone. */
function consentIn(files: ContentFiles) {
  return contentReader(files, forgetfulMemo()).file(file, schema.legalSchema);
}

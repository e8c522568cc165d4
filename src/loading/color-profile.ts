/** What browsers need to show the right colors. Other tags name the screen, its owner, or a program. */
const neededTags = /^([rgb]XYZ|[rgbk]TRC|wtpt|bkpt|chad|chrm|cicp|lumi|A2B[0-3]|B2A[0-3]|D2B[0-3]|B2D[0-3]|gamt)$/;

const headerLength = 128;
/** The rest of the header is a checksum and nothing. */
const neededHeader = 84;
const entryLength = 12;
/** Honest profiles have up to some thirty. */
const maxTags = 100;

/**
 * An ICC profile without names (ICC.1:2022, 7).
 *
 * @throws if it is damaged
 */
export function namelessProfile(profile: Buffer): Buffer {
  const count = profile.readUInt32BE(headerLength);
  if (profile.toString('latin1', 36, 40) !== 'acsp' || count > maxTags) throw new Error('It is no profile.');
  const table = profile.subarray(headerLength + 4, headerLength + 4 + count * entryLength);
  const entries = Array.from({ length: table.length / entryLength }, (_, n) =>
    table.subarray(n * entryLength, (n + 1) * entryLength),
  ).filter((entry) => neededTags.test(entry.toString('latin1', 0, 4)));
  const kept = Buffer.alloc(profile.length);
  profile.copy(kept, 0, 0, neededHeader);
  kept.writeUInt32BE(entries.length, headerLength);
  for (const [n, entry] of entries.entries()) {
    entry.copy(kept, headerLength + 4 + n * entryLength);
    const start = entry.readUInt32BE(4);
    profile.copy(kept, start, start, start + entry.readUInt32BE(8));
  }
  return kept;
}

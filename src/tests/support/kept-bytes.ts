import type { FilePart } from '../../lib/file-parts.ts';

/** The parts of a file, joined. */
export function keptBytes(bytes: Buffer, parts: readonly FilePart[]): Buffer {
  return Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : bytes.subarray(part.start, part.end))));
}

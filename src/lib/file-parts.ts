import type { FileHandle } from 'node:fs/promises';

/** Bytes of a file from `start` to before `end`, or bytes in their place. */
export type FilePart = Uint8Array | { start: number; end: number };

export type PartialFile = { path: string; parts: readonly FilePart[] };

function lengthOf(part: FilePart): number {
  return part instanceof Uint8Array ? part.length : part.end - part.start;
}

export function totalLength(parts: readonly FilePart[]): number {
  return parts.reduce((sum, part) => sum + lengthOf(part), 0);
}

/** Drops empty parts, and joins ranges that follow each other. @throws if more than `maxParts` remain */
export function joinParts(parts: Iterable<FilePart>, maxParts: number): FilePart[] {
  const all: FilePart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last && 'start' in last && 'start' in part && last.end === part.start) {
      all[all.length - 1] = { start: last.start, end: part.end };
    } else if (lengthOf(part) > 0) all.push(part);
    if (all.length > maxParts) throw new Error('The file has too many parts.');
  }
  return all;
}

const zeroBlock = new Uint8Array(64 * 1024);

/** Any number of them takes the memory of one block. */
export function* zeros(length: number): Iterable<FilePart> {
  for (let left = length; left > 0; left -= zeroBlock.length) yield zeroBlock.subarray(0, left);
}

const readSize = 64 * 1024;

/** @param end not included; like `start`, it counts the bytes of all parts @throws if the file is shorter than its parts */
export async function* readParts(
  file: FileHandle,
  parts: readonly FilePart[],
  start = 0,
  end = totalLength(parts),
): AsyncIterable<Uint8Array> {
  let at = 0;
  for (const part of parts) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, lengthOf(part))];
    at += lengthOf(part);
    if (from >= to) continue;
    if (part instanceof Uint8Array) yield part.subarray(from, to);
    else yield* readRange(file, part.start + from, part.start + to);
  }
}

async function* readRange(file: FileHandle, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; ) {
    const length = Math.min(readSize, end - at);
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(length), position: at });
    if (bytesRead === 0) throw new Error('The file is shorter than before.');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

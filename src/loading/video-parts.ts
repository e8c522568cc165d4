import { type FilePart, joinParts, zeros } from '../lib/file-parts.ts';
import { Refusal, type Unfit } from './problem.ts';

/*
 * Phones, cameras and editors write places, owners, paths and dates into an MP4. Only boxes that a player needs keep their
 * bytes (ISO/IEC 14496-12). The others become free space of the same length, because tables name positions in the file.
 */

const containers = /^(moov|trak|edts|mdia|minf|dinf|stbl|mvex|moof|traf|mfra)$/;

const needed =
  /^(ftyp|styp|mdat|sidx|ssix|mvhd|mehd|trex|tkhd|elst|mdhd|hdlr|elng|vmhd|smhd|nmhd|dref|stsd|stts|ctts|cslg|stss|stsz|stz2|stsc|stco|co64|sdtp|sbgp|sgpd|subs|saiz|saio|mfhd|tfhd|tfdt|trun|tfra|mfro)$/;

/** In boxes that a player needs: the name of a program, the path of an older file, and when the film was made. */
const unneeded: Readonly<Record<string, (body: Buffer) => [start: number, end: number]>> = {
  hdlr: (body) => [24, body.length],
  dref: (body) => [20, body.length],
  mvhd: madeAt,
  tkhd: madeAt,
  mdhd: madeAt,
};

/** Two moments, of 8 bytes each from version 1 on. */
function madeAt(body: Buffer): [start: number, end: number] {
  return [4, body.readUInt8() === 0 ? 12 : 20];
}

/** Honest files need about ten. */
const maxParts = 1000;
/** Of containers; tables of samples are in the fifth. */
const maxDepth = 8;

const damaged = 'Файл испорчен, или внутри не то, что говорит его имя. Сохраните видео заново как MP4 (H.264).';
const cut = 'Видео обрывается: файл записан или скопирован не до конца. Скопируйте его ещё раз.';
const otherTracks =
  'Кроме картинки и звука в видео есть данные камеры или субтитры, а в них бывает место съёмки. Сохраните видео заново как MP4 (H.264), например в CapCut или HandBrake.';

type Box = { type: string; start: number; bodyStart: number; end: number };

/** @returns what visitors may get of an MP4, as long as the file, or why they get nothing, in Russian */
export function videoParts(bytes: Buffer): FilePart[] | Unfit {
  try {
    return bytes.toString('latin1', 4, 8) === 'ftyp' ? joinParts(filmParts(bytes), maxParts) : { message: damaged };
  } catch (error) {
    return { message: error instanceof Refusal ? error.message : damaged };
  }
}

function* filmParts(bytes: Buffer): Iterable<FilePart> {
  let hasTables = false;
  for (const box of boxesIn(bytes, 0, bytes.length)) {
    hasTables ||= box.type === 'moov';
    yield* partsOf(bytes, box, 1);
  }
  if (!hasTables) throw new Refusal(cut);
}

function* boxesIn(bytes: Buffer, from: number, to: number): Iterable<Box> {
  for (let start = from; start < to; ) {
    const [size, type] = [bytes.readUInt32BE(start), bytes.toString('latin1', start + 4, start + 8)];
    const bodyStart = start + (size === 1 ? 16 : 8);
    const length = size === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : size || to - start;
    const end = start + length;
    if (end < bodyStart) throw new Refusal(damaged);
    if (end > to) throw new Refusal(cut);
    yield { type, start, bodyStart, end };
    start = end;
  }
}

function* partsOf(bytes: Buffer, box: Box, depth: number): Iterable<FilePart> {
  const { type, start, bodyStart, end } = box;
  const body = bytes.subarray(bodyStart, end);
  if (containers.test(type) && depth <= maxDepth) {
    yield { start, end: bodyStart };
    for (const inner of boxesIn(bytes, bodyStart, end)) yield* partsOf(bytes, inner, depth + 1);
  } else if (needed.test(type)) {
    if (type === 'hdlr') requireShown(body);
    const [from, to] = unneeded[type]?.(body) ?? [0, 0];
    if (from > to || to > body.length) throw new Refusal(damaged);
    yield { start, end: bodyStart + from };
    yield* zeros(to - from);
    yield { start: bodyStart + to, end };
  } else {
    yield { start, end: start + 4 };
    yield Buffer.from('free');
    yield { start: start + 8, end: bodyStart };
    yield* zeros(end - bodyStart);
  }
}

/** The samples of other tracks are among those of picture and sound, and may tell where a camera was. */
function requireShown(handler: Buffer): void {
  const [component, type] = [handler.toString('latin1', 4, 8), handler.toString('latin1', 8, 12)];
  // QuickTime also names what reads the file.
  if (component !== 'dhlr' && type !== 'vide' && type !== 'soun') throw new Refusal(otherTracks);
}

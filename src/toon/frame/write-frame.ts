/**
 * Writes a message as bytes: one allocation for header and payload, and run-length code only where that is shorter. Pays
 * in the benchmark "TOON encode".
 */
import { exactText } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';
import type { MessageType } from '../messages.ts';
import { allocate, isPooled, textSize, writeText } from './bytes.ts';
import { HEADER_SIZE, writeHeader } from './header.ts';
import { COMPRESSION_MAGIC, COMPRESSION_THRESHOLD, isWorthIt, trim, writeRuns } from './rle.ts';

/** A text of at most this many UTF-16 units has less than 1024 bytes in UTF-8: it is never compressed. */
const maxSmallText = 335;
/** The largest array that Node takes from its pool. */
const arenaSize = 4095;

/** The bytes of a message. The caller has checked type, sequence id and timestamp; the payload may be any JSON. */
export function encodeFrame(
  type: MessageType,
  payload: Json,
  sequenceId: number,
  timestamp: number | bigint,
  compress: boolean,
): Uint8Array {
  const text = exactText(payload) as string | undefined;
  if (text === undefined) throw new TypeError(`expected JSON as payload; came ${typeof payload}`);
  const stamp = { type, timestamp, sequenceId };
  if (isPooled && text.length <= maxSmallText) return encodeSmall(text, stamp);
  const size = textSize(text);
  return compress && size > COMPRESSION_THRESHOLD
    ? encodeLarge(text, size, stamp)
    : encodePlain(text, size, stamp);
}

interface FrameStamp {
  readonly type: MessageType;
  readonly timestamp: number | bigint;
  readonly sequenceId: number;
}

let arena: Uint8Array = new Uint8Array(0);
let used = 0;

/** Small messages share one array of Node's pool. No byte of it is used twice. */
function encodeSmall(text: string, stamp: FrameStamp): Uint8Array {
  const maxSize = HEADER_SIZE + text.length * 3;
  if (arena.length - used < maxSize) {
    arena = allocate(arenaSize);
    used = 0;
  }
  const at = used;
  const payloadLength = writeText(text, arena, at + HEADER_SIZE);
  writeHeader(arena, at, stamp.type, payloadLength, stamp.timestamp, stamp.sequenceId);
  used += HEADER_SIZE + payloadLength;
  return new Uint8Array(arena.buffer, arena.byteOffset + at, HEADER_SIZE + payloadLength);
}

function encodePlain(text: string, payloadLength: number, stamp: FrameStamp): Uint8Array {
  const frame = allocate(HEADER_SIZE + payloadLength);
  writeHeader(frame, 0, stamp.type, payloadLength, stamp.timestamp, stamp.sequenceId);
  writeText(text, frame, HEADER_SIZE);
  return frame;
}

/** Writes the text one byte further back, so that it can be compressed in place after the magic byte. */
function encodeLarge(text: string, size: number, stamp: FrameStamp): Uint8Array {
  const magic = HEADER_SIZE;
  const body = magic + 1;
  const frame = allocate(body + size);
  writeText(text, frame, body);
  if (!isWorthIt(frame, body, frame.length)) {
    writeHeader(frame, 1, stamp.type, size, stamp.timestamp, stamp.sequenceId);
    return frame.subarray(1);
  }
  const end = writeRuns(frame, body, frame.length, frame, body);
  frame[magic] = COMPRESSION_MAGIC;
  writeHeader(frame, 0, stamp.type, end - magic, stamp.timestamp, stamp.sequenceId);
  return trim(frame, end);
}

/** Messages to bytes: one allocation for header and payload, and run-length code only where it is shorter. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { allocate, pooled, textSize, writeText } from './bytes.ts';
import { HEADER_SIZE, checkStamp, writeHeader } from './header.ts';
import { MessageType, messageNames } from '../messages.ts';
import { checkObjectPayload } from './payload.ts';
import { COMPRESSION_MAGIC, COMPRESSION_THRESHOLD, isWorthIt, trim, writeRuns } from './rle.ts';

/** How an encoder goes about it. */
export interface TOONEncoderOptions {
  /** Unix milliseconds of now, for messages that are given no timestamp; default `Date.now`. */
  readonly now?: () => number | bigint;
  /** Compress payloads of more than 1024 bytes where that makes them shorter; default true. */
  readonly compress?: boolean;
}

/** What may differ from one message to the next. */
export interface TOONEncodeOptions {
  /** Unix milliseconds, 64 bits; above 2^53 − 1 as a bigint. Default: the encoder's clock. */
  readonly timestamp?: number | bigint;
  /** As the encoder's, for this message. */
  readonly compress?: boolean;
}

/**
 * Encodes messages. Throws a RangeError or a TypeError on what no message can carry: that is the caller's mistake.
 * As JSON has neither, NaN and Infinity in a payload are written as null.
 *
 * Source: TOON Protocol Specification, "Encoding & Decoding".
 *
 * @example
 * import { MessageType, messageNames } from '../messages.ts';
 *
 * const encoder = new TOONEncoder({ now: () => 1700000000000 });
 * const bytes = encoder.encode(MessageType.HEARTBEAT, {}, 1);
 * Buffer.from(bytes).toString('hex'); // '0106020000000068e5cf8b010000010000007b7d'
 */
export class TOONEncoder {
  readonly #now: () => number | bigint;
  readonly #compress: boolean;

  constructor({ now = Date.now, compress = true }: TOONEncoderOptions = {}) {
    this.#now = now;
    this.#compress = compress;
  }

  /** The bytes of a message. Nobody writes to them afterwards. */
  encode(
    type: MessageType,
    payload: JsonObject,
    sequenceId: number,
    { timestamp = this.#now(), compress = this.#compress }: TOONEncodeOptions = {},
  ): Uint8Array {
    checkStamp(type, sequenceId, timestamp);
    const fault = checkObjectPayload(messageNames[type - 1] ?? 'HEARTBEAT', payload);
    if (fault !== undefined) throw new TypeError(fault.message);
    return encodeFrame(type, payload, sequenceId, timestamp, compress);
  }

  /** A task for the subagent. */
  static encodeInstruction(instruction: string, sequenceId: number): Uint8Array {
    return usual.encode(MessageType.INSTRUCTION, { instruction }, sequenceId);
  }

  /** A request to invoke a tool. */
  static encodeToolCall(toolName: string, args: JsonObject, sequenceId: number): Uint8Array {
    return usual.encode(MessageType.TOOL_CALL, { toolName, args }, sequenceId);
  }

  /** What a tool gave; `duration` in milliseconds, from 0. */
  static encodeToolResult(success: boolean, data: Json, duration: number, sequenceId: number): Uint8Array {
    if (!(duration >= 0 && duration < Infinity))
      throw new RangeError(`expected a duration in ms, from 0; came ${String(duration)}`);
    return usual.encode(MessageType.TOOL_RESULT, { success, data, duration }, sequenceId);
  }

  /** How far the work is; `progress` from 0 to 1 (TOON-36), not in percent. */
  static encodeStatus(status: string, progress: number, sequenceId: number): Uint8Array {
    if (!(progress >= 0 && progress <= 1))
      throw new RangeError(`expected progress from 0 to 1; came ${String(progress)}`);
    return usual.encode(MessageType.STATUS, { status, progress }, sequenceId);
  }

  /** Something went wrong; `code` is a word for programs, such as `TOOL_FAILED`. */
  static encodeError(code: string, message: string, sequenceId: number): Uint8Array {
    return usual.encode(MessageType.ERROR, { code, message }, sequenceId);
  }

  /** A sign of life. */
  static encodeHeartbeat(sequenceId: number): Uint8Array {
    return usual.encode(MessageType.HEARTBEAT, {}, sequenceId);
  }

  /** A request for context, such as `{ type: 'file', path: 'src/config.ts' }`. */
  static encodeContextRequest(context: JsonObject, sequenceId: number): Uint8Array {
    return usual.encode(MessageType.CONTEXT_REQUEST, context, sequenceId);
  }

  /** The context that was asked for. */
  static encodeContextResponse(context: JsonObject, sequenceId: number): Uint8Array {
    return usual.encode(MessageType.CONTEXT_RESPONSE, context, sequenceId);
  }
}

const usual = new TOONEncoder();

/** Texts of so many UTF-16 units or fewer have less than 1024 bytes in UTF-8: too short to be compressed. */
const SMALL_TEXT = 335;
/** From so little Node takes its own common pool. */
const ARENA_SIZE = 4095;

/** A message whose stamp was checked, of any JSON. */
export function encodeFrame(
  type: MessageType,
  payload: Json,
  sequenceId: number,
  timestamp: number | bigint,
  compress: boolean,
): Uint8Array {
  const text = JSON.stringify(payload) as string | undefined;
  if (text === undefined) throw new TypeError(`expected JSON as payload; came ${typeof payload}`);
  const stamp = { type, timestamp, sequenceId };
  if (pooled && text.length <= SMALL_TEXT) return encodeSmall(text, stamp);
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

/** Many small messages share one piece of Node's pool: no part of it is given out twice. */
function encodeSmall(text: string, stamp: FrameStamp): Uint8Array {
  const most = HEADER_SIZE + text.length * 3;
  if (arena.length - used < most) {
    arena = allocate(ARENA_SIZE);
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

/**
 * The text goes one byte further back than it needs, so that it can be compressed where it is, with the magic byte
 * before it: run-length code of UTF-8 never writes ahead of what it reads.
 */
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

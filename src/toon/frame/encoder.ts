/** The encoder of the TOON Protocol Specification: it checks messages, and writes them as bytes. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { MessageType, messageNames } from '../messages.ts';
import { checkStamp } from './header.ts';
import { checkObjectPayload } from './payload.ts';
import { encodeFrame } from './write-frame.ts';

/** The options of an encoder. */
export interface TOONEncoderOptions {
  /** The clock (Unix milliseconds), for messages without a timestamp; default `Date.now`. */
  readonly now?: () => number | bigint;
  /** Compress payloads of more than 1024 bytes where that makes them shorter; default true. */
  readonly compress?: boolean;
}

/** The options of one message. */
export interface TOONEncodeOptions {
  /** Unix milliseconds, 64 bits; above 2^53 − 1 as a bigint. Default: the encoder's clock. */
  readonly timestamp?: number | bigint;
  /** Overrides the option of the encoder. */
  readonly compress?: boolean;
}

/**
 * Encodes messages. Throws a RangeError or a TypeError when a value does not fit its field or a payload is wrong. NaN and
 * Infinity in a payload are written as null, because JSON has neither.
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

  /** The bytes of a message. The encoder does not write to them later. */
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

  /** An INSTRUCTION: a task for the subagent. */
  static encodeInstruction(instruction: string, sequenceId: number): Uint8Array {
    return defaultEncoder.encode(MessageType.INSTRUCTION, { instruction }, sequenceId);
  }

  /** A TOOL_CALL: a request to invoke a tool. */
  static encodeToolCall(toolName: string, args: JsonObject, sequenceId: number): Uint8Array {
    return defaultEncoder.encode(MessageType.TOOL_CALL, { toolName, args }, sequenceId);
  }

  /** A TOOL_RESULT; `duration` in milliseconds, from 0. */
  static encodeToolResult(success: boolean, data: Json, duration: number, sequenceId: number): Uint8Array {
    if (!(duration >= 0 && duration < Infinity))
      throw new RangeError(`expected a duration in ms, from 0; came ${String(duration)}`);
    return defaultEncoder.encode(MessageType.TOOL_RESULT, { success, data, duration }, sequenceId);
  }

  /** A STATUS; `progress` is from 0 to 1 (TOON-36), not in percent. */
  static encodeStatus(status: string, progress: number, sequenceId: number): Uint8Array {
    if (!(progress >= 0 && progress <= 1))
      throw new RangeError(`expected progress from 0 to 1; came ${String(progress)}`);
    return defaultEncoder.encode(MessageType.STATUS, { status, progress }, sequenceId);
  }

  /** An ERROR; `code` is a word for programs, such as `TOOL_FAILED`. */
  static encodeError(code: string, message: string, sequenceId: number): Uint8Array {
    return defaultEncoder.encode(MessageType.ERROR, { code, message }, sequenceId);
  }

  /** A HEARTBEAT: it shows that the sender is alive. */
  static encodeHeartbeat(sequenceId: number): Uint8Array {
    return defaultEncoder.encode(MessageType.HEARTBEAT, {}, sequenceId);
  }

  /** A CONTEXT_REQUEST, such as `{ type: 'file', path: 'src/config.ts' }`. */
  static encodeContextRequest(context: JsonObject, sequenceId: number): Uint8Array {
    return defaultEncoder.encode(MessageType.CONTEXT_REQUEST, context, sequenceId);
  }

  /** A CONTEXT_RESPONSE: the context of a request. */
  static encodeContextResponse(context: JsonObject, sequenceId: number): Uint8Array {
    return defaultEncoder.encode(MessageType.CONTEXT_RESPONSE, context, sequenceId);
  }
}

const defaultEncoder = new TOONEncoder();

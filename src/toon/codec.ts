/**
 * Messages of TOON (Task Orchestration Over Node) to bytes and back, in the form that traces and scenarios have them.
 * Decoding is total; what it alone would hide is kept as a note.
 */
import { ok } from '../kit/base/index.ts';
import type { Codec, Decoded, Result, Violation } from '../kit/base/index.ts';
import { decodeFrame, resolveOptions } from './frame/decoder.ts';
import type { DecodedTOON, TOONDecoderOptions } from './frame/decoder.ts';
import { encodeFrame } from './frame/encoder.ts';
import { checkStamp, parseTimestamp } from './frame/header.ts';
import { MessageType, messageNames } from './messages.ts';
import type { ToonMessage } from './messages.ts';

/**
 * A codec with limits of its own.
 *
 * @example
 * const narrow = toonCodecWith({ maxPayload: 10 });
 * const bytes = narrow.encode({ type: 'ERROR', sequenceId: 1, timestamp: '0', payload: { message: 'no' } });
 * const decoded = narrow.decode(bytes);
 * decoded.ok || decoded.error.code; // 'too-large'
 */
export function toonCodecWith(options: TOONDecoderOptions): Codec<ToonMessage> {
  const full = resolveOptions(options);
  return {
    name: 'toon',
    encode: encodeMessage,
    decode: (bytes) => {
      const decoded = decodeFrame(bytes, full);
      return decoded.ok ? toMessage(decoded) : decoded;
    },
  };
}

/**
 * The codec with the default limits. It sends what it is given, also payloads that peers must refuse: scenarios need
 * them. {@link TOONEncoder} is the one that checks.
 *
 * @example
 * const bytes = toonCodec.encode({ type: 'HEARTBEAT', sequenceId: 1, timestamp: '1700000000000', payload: {} });
 * bytes.length; // 20
 * const decoded = toonCodec.decode(bytes);
 * decoded.ok && decoded.value.message.payloadLength; // 2
 */
export const toonCodec: Codec<ToonMessage> = toonCodecWith({});

function encodeMessage({ type, payload, sequenceId, timestamp, compress = true }: ToonMessage): Uint8Array {
  const stamp = parseTimestamp(timestamp);
  checkStamp(MessageType[type], sequenceId, stamp);
  return encodeFrame(MessageType[type], payload, sequenceId, stamp, compress);
}

function toMessage(decoded: DecodedTOON): Result<Decoded<ToonMessage>, Violation> {
  const { header, payload, trailing, notes, expandedLength } = decoded;
  const message = {
    type: messageNames[header.type - 1],
    sequenceId: header.sequenceId,
    timestamp: String(header.timestamp),
    payload,
    payloadLength: header.payloadLength,
    ...(expandedLength === undefined ? {} : { expandedLength }),
    // The decoder has checked that the payload is one of its type.
  } as ToonMessage;
  const all = trailing === 0 ? notes : [...notes, `trailing: ${trailing} bytes after the message`];
  return ok(all.length === 0 ? { message } : { message, note: all.join('; ') });
}

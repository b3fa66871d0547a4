/**
 * The codec of TOON (Task Orchestration Over Node), for messages in the form of traces and scenarios. Decoding is total;
 * a fault that the message does not show becomes a note.
 */
import { ok } from '../kit/base/index.ts';
import type { Codec, Decoded, Result, Violation } from '../kit/base/index.ts';
import { decodeFrame, resolveOptions } from './frame/decoder.ts';
import type { DecodedTOON, TOONDecoderOptions } from './frame/decoder.ts';
import { encodeFrame } from './frame/write-frame.ts';
import { checkStamp, parseTimestamp } from './frame/header.ts';
import { MessageType, messageNames } from './messages.ts';
import type { ToonMessage } from './messages.ts';

/**
 * Makes a codec with other limits.
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
 * The codec with the default limits. It encodes any payload, even one that a peer must refuse, because scenarios need
 * such messages. {@link TOONEncoder} checks payloads.
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
    // The decoder has checked the payload against the type.
  } as ToonMessage;
  const all = trailing === 0 ? notes : [...notes, `trailing: ${trailing} bytes after the message`];
  return ok(all.length === 0 ? { message } : { message, note: all.join('; ') });
}

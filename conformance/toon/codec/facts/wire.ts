/**
 * Reads the bytes of an encoder, each fact independently of the others: the payload is all bytes after the first 18, even
 * if `payloadLength` is wrong, expanded if it begins with 0x5A. Where bytes are before or after a whole message, the
 * facts are those of the message. It does not use the codec of src/toon, because it checks that codec.
 */
import { jsonOf } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { hexAt } from './bytes.ts';
import { readRle } from './rle.ts';
import type { RlePeculiarity } from './rle.ts';

/** "Total header size: 18 bytes" (TOON Protocol Specification, "Header Fields"). */
export const headerSize = 18;

/** "A compressed payload is prefixed with the magic byte `0x5A`" (TOON Protocol Specification, "RLE Encoding"). */
const magic = 0x5a;

/** "Payloads exceeding 1,024 bytes … are optionally compressed" (TOON Protocol Specification, "Compression"). */
const threshold = 1024;

/** The numbers of the message types (TOON Protocol Specification, "Message Types"). */
export const typeNumbers: { readonly [name: string]: number } = {
  INSTRUCTION: 1,
  TOOL_CALL: 2,
  TOOL_RESULT: 3,
  STATUS: 4,
  ERROR: 5,
  HEARTBEAT: 6,
  CONTEXT_REQUEST: 7,
  CONTEXT_RESPONSE: 8,
};

/** The peculiarities of a payload, by their names in vector files. */
export type Peculiarity = RlePeculiarity | 'compressed-small' | 'compressed-not-shorter' | 'bom' | 'stray';

/** The facts of an encoded message. */
export interface ParsedFrame {
  readonly version: number;
  readonly type: number;
  readonly payloadLength: number;
  readonly timestamp: bigint;
  readonly sequenceId: number;
  /** The number of bytes after the header. */
  readonly rest: number;
  /** Whether these bytes begin with 0x5A. */
  readonly compressed: boolean;
  /** The length of the expanded payload (bytes); undefined when it cannot be expanded. */
  readonly expanded: number | undefined;
  /** The payload as parsed JSON, or the reason why it is not JSON. */
  readonly payload: { readonly value: Json } | string;
  /** The peculiarities of the payload, in words. */
  readonly peculiar: { readonly [P in Peculiarity]?: string };
}

/** Reads a message; a text for a message of fewer than 18 bytes. */
export function readWire(bytes: Uint8Array): ParsedFrame | string {
  if (bytes.length < headerSize)
    return `expected a header of ${headerSize} bytes; came ${bytes.length} in all`;
  const from = startOf(bytes);
  const whole = factsOf(bytes.subarray(from));
  const end = from + headerSize + whole.payloadLength;
  const message = end < bytes.length ? factsOf(bytes.subarray(from, end)) : whole;
  // Without its payload, a message has a wrong payloadLength: that is another fault.
  const found = typeof message.payload === 'string' ? whole : message;
  const before = bytes.subarray(0, from);
  const after = bytes.subarray(from + headerSize + found.rest);
  return before.length + after.length === 0 ? found : withStray(found, before, after);
}

/** The offset of the message: 0, or that of a header whose payload ends with the bytes. */
function startOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes[0] === 1) return 0;
  for (let at = 1; at <= mostBefore && at + headerSize <= bytes.length; at++) {
    const ends = at + headerSize + view.getUint32(at + 2, true) === bytes.length;
    if (ends && bytes[at] === 1) return at;
  }
  return 0;
}

/** The most bytes before a message among which it is found. */
const mostBefore = 256;

function withStray(found: ParsedFrame, before: Uint8Array, after: Uint8Array): ParsedFrame {
  const [bytes, where] = before.length > 0 ? [before, 'before'] : [after, 'after'];
  const stray = `expected one message and no other bytes; came ${hexAt(bytes)} ${where} it`;
  return { ...found, peculiar: { ...found.peculiar, stray } };
}

function factsOf(bytes: Uint8Array): ParsedFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const rest = bytes.subarray(headerSize);
  const compressed = rest[0] === magic;
  return {
    version: view.getUint8(0),
    type: view.getUint8(1),
    payloadLength: view.getUint32(2, true),
    timestamp: view.getBigUint64(6, true),
    sequenceId: view.getUint32(14, true),
    rest: rest.length,
    compressed,
    ...(compressed ? readCompressed(rest) : readPlain(rest, {})),
  };
}

type Payload = Pick<ParsedFrame, 'expanded' | 'payload' | 'peculiar'>;

function readCompressed(onWire: Uint8Array): Payload {
  const rle = readRle(onWire.subarray(1));
  if (typeof rle === 'string') return { expanded: undefined, payload: rle, peculiar: {} };
  const { expanded, peculiar } = rle;
  const size = expanded.length;
  const small = `expected no compression of ${size} bytes, because at most ${threshold} bytes are never compressed; came 0x5A and RLE`;
  const longer = `expected compression only if it is shorter; came ${onWire.length} bytes with magic and RLE for ${size} without`;
  return readPlain(expanded, {
    ...peculiar,
    ...(size > threshold ? {} : { 'compressed-small': small }),
    ...(onWire.length <= size ? {} : { 'compressed-not-shorter': longer }),
  });
}

function readPlain(text: Uint8Array, peculiar: ParsedFrame['peculiar']): Payload {
  const hasBom = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
  const bom = hasBom ? { bom: 'expected no byte order mark; the payload begins with efbbbf' } : {};
  return { expanded: text.length, payload: parsed(text), peculiar: { ...peculiar, ...bom } };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses UTF-8 as JSON. Ignores a byte order mark, which another fact checks. */
function parsed(text: Uint8Array): ParsedFrame['payload'] {
  let decoded;
  try {
    decoded = utf8.decode(text);
  } catch {
    return 'the payload is not UTF-8';
  }
  try {
    return { value: jsonOf(decoded) };
  } catch {
    return decoded === '' ? 'the payload is empty' : 'the payload is not JSON';
  }
}

/** Whether a payload without the magic byte is RLE of JSON. */
export function looksCompressed(bytes: Uint8Array): boolean {
  const rle = readRle(bytes.subarray(headerSize));
  return typeof rle !== 'string' && typeof parsed(rle.expanded) !== 'string';
}

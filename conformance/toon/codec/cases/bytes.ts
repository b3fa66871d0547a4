/**
 * Builds TOON (Task Orchestration Over Node) bytes by the rules of the document. It does not use src/toon, because vectors
 * from a wrong reference codec would be wrong, too.
 */

/** Bytes, each 0 to 255. */
export type Bytes = readonly number[];

/** The type byte of each message. Source: TOON Protocol Specification, "Message Types". */
export const typeByte = {
  INSTRUCTION: 0x01,
  TOOL_CALL: 0x02,
  TOOL_RESULT: 0x03,
  STATUS: 0x04,
  ERROR: 0x05,
  HEARTBEAT: 0x06,
  CONTEXT_REQUEST: 0x07,
  CONTEXT_RESPONSE: 0x08,
} as const;

/** A message type by name. */
export type TypeName = keyof typeof typeByte;

/** The names, in the order of the document's table. */
export const typeNames: readonly TypeName[] = [
  'INSTRUCTION',
  'TOOL_CALL',
  'TOOL_RESULT',
  'STATUS',
  'ERROR',
  'HEARTBEAT',
  'CONTEXT_REQUEST',
  'CONTEXT_RESPONSE',
];

/** The smallest valid payload of each type (TOON-35). */
export const smallest: { readonly [T in TypeName]: string } = {
  INSTRUCTION: '{"instruction":"hi"}',
  TOOL_CALL: '{"toolName":"t","args":{}}',
  TOOL_RESULT: '{"success":true}',
  STATUS: '{"status":"working"}',
  ERROR: '{"message":"no"}',
  HEARTBEAT: '{}',
  CONTEXT_REQUEST: '{"type":"file","path":"a"}',
  CONTEXT_RESPONSE: '{"type":"file","path":"a"}',
};

/** The default timestamp of messages (Unix ms). */
export const usualTime = 1_700_000_000_000n;

/** The fields of a header. Each has a default. */
export interface HeaderFields {
  readonly version?: number;
  readonly typeByte?: number;
  readonly payloadLength?: number;
  readonly timestamp?: bigint;
  readonly sequenceId?: number;
}

/** An unsigned integer as `size` bytes, lowest byte first ("LE" in the document's table). */
export function littleEndian(value: bigint, size: number): Bytes {
  const bytes: number[] = [];
  for (let i = 0; i < size; i++) bytes.push(Number((value >> BigInt(8 * i)) & 0xffn));
  return bytes;
}

/** The 18 bytes before the payload. Source: TOON Protocol Specification, "Header Fields". */
export const header = (fields: HeaderFields): Bytes => [
  fields.version ?? 1,
  fields.typeByte ?? typeByte.HEARTBEAT,
  ...littleEndian(BigInt(fields.payloadLength ?? 0), 4),
  ...littleEndian(fields.timestamp ?? usualTime, 8),
  ...littleEndian(BigInt(fields.sequenceId ?? 1), 4),
];

/** A message with a payload. Its header is right by default; `fields` replaces fields. */
export function message(type: TypeName, payload: string | Bytes, fields: HeaderFields = {}): Bytes {
  const bytes = typeof payload === 'string' ? utf8(payload) : payload;
  return header({ typeByte: typeByte[type], payloadLength: bytes.length, ...fields }).concat(bytes);
}

/** A text as UTF-8. */
export const utf8 = (text: string): Bytes => Buffer.from(text).toJSON().data;

export const run = (byte: number, count: number): Bytes => Array.from({ length: count }, () => byte);

/** Bytes as lowercase hex, as vectors have them. */
export const hex = (...parts: readonly Bytes[]): string =>
  parts.map((part) => Buffer.from(part).toString('hex')).join('');

/** The first byte of a compressed payload, and the first byte of a triple. Source: "RLE Encoding". */
const [magic, escape] = [0x5a, 0xff];

/**
 * Run-length encoding by the rules of the document, without the magic: runs of four and more, and every 0xFF, as
 * `FF byte count`; other bytes are literal. A count is one byte, so runs are split at 255, and the rest is a new run.
 */
export function rle(bytes: Bytes): Bytes {
  const coded: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    let count = 1;
    while (count < 255 && bytes[at + count] === byte) count++;
    coded.push(...(count >= 4 || byte === escape ? [escape, byte, count] : run(byte, count)));
    at += count;
  }
  return coded;
}

/** A compressed payload: the magic, then the run-length encoding. */
export const compressed = (payload: string | Bytes): Bytes =>
  [magic].concat(rle(typeof payload === 'string' ? utf8(payload) : payload));

/**
 * The reference codec as a testee of the suite `toon/codec`: one request in, one answer out. Carrying them as lines of
 * JSON is for whoever calls it.
 */
import { dispatcher, isArray, isObject, RequestRefusal } from '../kit/base/index.ts';
import type { Json, JsonObject, Violation } from '../kit/base/index.ts';
import { TOONDecoder } from './frame/decoder.ts';
import type { DecodedTOON } from './frame/decoder.ts';
import { TOONEncoder } from './frame/encoder.ts';
import { MAX_PAYLOAD, parseTimestamp } from './frame/header.ts';
import { messageNames } from './messages.ts';
import type { MessageType } from './messages.ts';
import { runLengthDecode, runLengthEncode } from './frame/rle.ts';
import { TOONStreamDecoder } from './frame/stream.ts';

const encoder = new TOONEncoder();
const strict = { strict: true };
const decoder = new TOONDecoder(strict);

/**
 * Answers one request: `{id, ok}`, `{id, error}`, or `{id, unsupported}` of an operation that it does not know. Never
 * throws.
 *
 * @example
 * toonTestee({ id: 1, op: 'toon.rle.encode', bytes: '4141414141' }); // { id: 1, ok: { bytes: 'ff4105' } }
 * toonTestee({ id: 2, op: 'toon.validate', wire: '01' }); // { id: 2, ok: { valid: false } }
 * toonTestee({ id: 3, op: 'toon.compress' }); // { id: 3, unsupported: true }
 */
export const toonTestee: (request: JsonObject) => JsonObject = dispatcher({
  name: 'wireproof reference',
  version: '0.1.0',
  hello: { codes: true },
  operations: {
    'toon.encode': (request) => ({ wire: toHex(encode(request)) }),
    'toon.decode': (request) => decode(fromHex(request['wire'])),
    'toon.validate': (request) => ({ valid: decoder.validate(fromHex(request['wire'])) }),
    'toon.rle.encode': (request) => ({ bytes: toHex(runLengthEncode(fromHex(request['bytes']))) }),
    'toon.rle.decode': (request) => ({ bytes: toHex(expand(fromHex(request['bytes']))) }),
    'toon.stream': (request) => stream(request['chunks']),
  },
});

function encode({ type: name, payload, sequenceId, timestamp, compress = true }: JsonObject): Uint8Array {
  const type = messageNames.findIndex((known) => known === name) + 1;
  if (type === 0) throw badInput('type', 'the name of a message type', name);
  if (typeof sequenceId !== 'number') throw badInput('sequenceId', 'a number', sequenceId);
  if (typeof timestamp !== 'string') throw badInput('timestamp', 'a string of decimal digits', timestamp);
  if (typeof compress !== 'boolean') throw badInput('compress', 'true or false', compress);
  if (!isObject(payload)) throw badInput('payload', 'an object', payload);
  try {
    const options = { timestamp: parseTimestamp(timestamp), compress };
    return encoder.encode(type as MessageType, payload, sequenceId, options);
  } catch (error) {
    // The encoder throws on what no message can carry.
    throw new RequestRefusal('bad-input', error instanceof Error ? error.message : String(error));
  }
}

function decode(wire: Uint8Array): JsonObject {
  const decoded = decoder.decode(wire);
  if (!decoded.ok) throw refusal(decoded.error);
  return { ...shown(decoded), trailing: decoded.trailing };
}

/** As the answers have it: a 64-bit number is a string. */
const shown = ({ header, payload }: DecodedTOON): JsonObject => ({
  header: { ...header, timestamp: String(header.timestamp) },
  payload,
});

function expand(bytes: Uint8Array): Uint8Array {
  const expanded = runLengthDecode(bytes, { maxExpanded: MAX_PAYLOAD });
  if (!expanded.ok) throw refusal(expanded.error);
  return expanded.value;
}

function stream(chunks: Json | undefined): JsonObject {
  if (!isArray(chunks)) throw badInput('chunks', 'a list of hex', chunks);
  const decoder = new TOONStreamDecoder(strict);
  const items = chunks.flatMap((chunk) => decoder.push(fromHex(chunk)));
  const messages = items.flatMap(({ decoded }) => (decoded.ok ? [shown(decoded)] : []));
  return { messages, skipped: items.length - messages.length, pending: decoder.pending };
}

const refusal = ({ code, message }: Violation): RequestRefusal => new RequestRefusal(code, message);

const badInput = (field: string, expected: string, came: Json | undefined): RequestRefusal =>
  new RequestRefusal(
    'bad-input',
    `expected ${field} to be ${expected}; came ${came === undefined ? 'nothing' : typeof came}`,
  );

function fromHex(hex: Json | undefined): Uint8Array {
  if (typeof hex !== 'string' || hex.length % 2 !== 0 || /[^0-9a-f]/.test(hex))
    throw badInput('bytes', 'pairs of lowercase hexadecimal digits', hex);
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** In blocks: a text that grows by two characters at a time would take many times its size. */
function toHex(bytes: Uint8Array): string {
  const blocks: string[] = [];
  for (let i = 0; i < bytes.length; i += 4096)
    blocks.push(Array.from(bytes.subarray(i, i + 4096), (byte) => digits[byte]).join(''));
  return blocks.join('');
}

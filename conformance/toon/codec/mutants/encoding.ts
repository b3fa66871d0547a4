/** Testees that encode headers or payloads wrongly. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { okAnswer } from '../../../../src/kit/suite/index.ts';
import { codeOf, hexOf, mutant, okOf, patched, payloadOf, withPayload, writes } from './mutant.ts';

/** A header field with its bytes in the opposite order. */
const turned = (from: number, to: number): AnswerFault =>
  writes((wire) => patched(wire, from, ...wire.subarray(from, to).toReversed()));

/** Edits the timestamp of a header, if it is in this century. */
const inSeconds: AnswerFault = writes((wire) => {
  const ms = wire.readBigUInt64LE(6);
  if (ms >= 1n << 52n) return undefined;
  const copy = Buffer.from(wire);
  copy.writeBigUInt64LE(ms / 1000n, 6);
  return copy;
});

/** Rounds the timestamp to a double. */
const asDouble: AnswerFault = writes((wire) => {
  const copy = Buffer.from(wire);
  copy.writeBigUInt64LE(BigInt.asUintN(64, BigInt(Number(wire.readBigUInt64LE(6)))), 6);
  return copy;
});

const lengthPlus = (more: (wire: Buffer) => number): AnswerFault =>
  writes((wire) => {
    const copy = Buffer.from(wire);
    copy.writeUInt32LE(wire.readUInt32LE(2) + more(wire), 2);
    return copy;
  });

/** The bytes that compression saves in a message of the reference. */
function gained(wire: Buffer): number {
  const payload = payloadOf(wire);
  if (payload[0] !== 0x5a) return 0;
  const expanded = okOf({ op: 'toon.rle.decode', bytes: hexOf(payload.subarray(1)) })?.['bytes'];
  return typeof expanded === 'string' ? expanded.length / 2 - payload.length : 0;
}

/** Encodes requests that the reference refuses: a heartbeat's header with the payload of the request. */
const sends =
  (test: (request: JsonObject) => boolean): AnswerFault =>
  (request) => {
    if (request['op'] !== 'toon.encode' || codeOf(request) === undefined || !test(request)) return undefined;
    const wire = okOf({ ...request, type: 'HEARTBEAT', payload: {}, ...inRange(request) })?.['wire'];
    if (typeof wire !== 'string') return undefined;
    const payload = Buffer.from(JSON.stringify(request['payload']));
    return okAnswer(request, { wire: hexOf(withPayload(Buffer.from(wire, 'hex'), payload)) });
  };

/** The numbers of a request, cut to the size of their fields. */
const inRange = ({ sequenceId, timestamp }: JsonObject): JsonObject => ({
  sequenceId: Number(sequenceId) >>> 0,
  timestamp: isLong(timestamp) ? String(BigInt.asUintN(64, BigInt(timestamp))) : (timestamp ?? '0'),
});

const isLong = (digits: unknown): digits is string => typeof digits === 'string' && /^\d{20,}$/.test(digits);

const isNegative = ({ sequenceId }: JsonObject): boolean => Number(sequenceId) < 0;
const isTooLarge = ({ sequenceId }: JsonObject): boolean => Number(sequenceId) >= 2 ** 32;
const isBeyondTime = ({ timestamp }: JsonObject): boolean => isLong(timestamp);
const isUnknown = ({ type }: JsonObject): boolean => type === 'PING';
const hasArray = ({ payload }: JsonObject): boolean => Array.isArray(payload);
const isCall = ({ type }: JsonObject): boolean => type === 'TOOL_CALL';

const payloadAs = (edit: (json: string) => string): AnswerFault =>
  writes((wire) => {
    const payload = payloadOf(wire);
    if (payload[0] === 0x5a) return undefined;
    const text = payload.toString('utf8');
    const edited = edit(text);
    return edited === text ? undefined : withPayload(wire, Buffer.from(edited));
  });

const bom = '\u{feff}';

/** These mutants. */
export const encodingMutants: readonly Mutant[] = [
  mutant('TOON-01', 'sequence-big-endian', 'It writes sequenceId big-endian.', turned(14, 18)),
  mutant('TOON-01', 'timestamp-in-seconds', 'It writes seconds where milliseconds belong.', inSeconds),
  mutant(
    'TOON-01',
    'type-of-the-next',
    'It counts message types from 0: a STATUS says 3.',
    writes((wire) => patched(wire, 1, (wire[1] ?? 0) - 1)),
  ),
  mutant(
    'TOON-02',
    'version-2',
    'It says version 2.',
    writes((wire) => patched(wire, 0, 2)),
  ),
  mutant(
    'TOON-03',
    'length-of-the-expanded',
    'Its payloadLength is that before compression.',
    lengthPlus(gained),
  ),
  mutant(
    'TOON-03',
    'length-with-header',
    'Its payloadLength counts the header too.',
    lengthPlus(() => 18),
  ),
  mutant(
    'TOON-12',
    'sends-bom',
    'It puts a byte-order mark before the JSON.',
    payloadAs((json) => bom + json),
  ),
  mutant('TOON-13', 'sends-arrays', 'It encodes a payload that is an array.', sends(hasArray)),
  mutant('TOON-28', 'rounds-what-it-encodes', 'It reads a timestamp as a double.', asDouble),
  mutant('TOON-32', 'wraps-negative', 'It writes sequenceId -1 as 4294967295.', sends(isNegative)),
  mutant('TOON-32', 'wraps-large', 'It writes sequenceId 4294967296 as 0.', sends(isTooLarge)),
  mutant('TOON-32', 'cuts-timestamps', 'It drops the bits of a timestamp beyond 64.', sends(isBeyondTime)),
  mutant('TOON-32', 'sends-unknown-types', 'It encodes an unknown type.', sends(isUnknown)),
  mutant('TOON-35', 'sends-calls-without-args', 'It encodes a TOOL_CALL without its fields.', sends(isCall)),
  mutant(
    'TOON-38',
    'line-feed-after',
    'It ends each message with a line feed.',
    writes((wire) => Buffer.concat([wire, Buffer.from('\n')])),
  ),
  mutant(
    'TOON-38',
    'length-before',
    'It begins each message with its length, in 4 bytes.',
    writes((wire) => Buffer.concat([Buffer.of(0, 0, 0, wire.length & 0xff), wire])),
  ),
  mutant(
    'TOON-42',
    'escapes-code-units',
    'It writes a character beyond U+FFFF as one escape of five digits.',
    payloadAs((json) =>
      json.replace(/[\u{10000}-\u{10ffff}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16)}`),
    ),
  ),
  mutant(
    'TOON-47',
    'heartbeat-with-time',
    'It adds a time to the payload of heartbeats.',
    payloadAs((json) => (json === '{}' ? '{"ts":1}' : json)),
  ),
];

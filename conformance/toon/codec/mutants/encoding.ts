/** Testees that encode headers or payloads wrongly. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { okAnswer } from '../../../../src/kit/suite/index.ts';
import { codeOf, hexOf, okOf, patched, payloadOf, withPayload, writes } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

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

export const encodingFaults: CodecFaults = {
  'sequence-big-endian': turned(14, 18),
  'timestamp-in-seconds': inSeconds,
  'type-of-the-next': writes((wire) => patched(wire, 1, (wire[1] ?? 0) - 1)),
  'version-2': writes((wire) => patched(wire, 0, 2)),
  'length-of-the-expanded': lengthPlus(gained),
  'length-with-header': lengthPlus(() => 18),
  'sends-bom': payloadAs((json) => bom + json),
  'sends-arrays': sends(hasArray),
  'rounds-what-it-encodes': asDouble,
  'wraps-negative': sends(isNegative),
  'wraps-large': sends(isTooLarge),
  'cuts-timestamps': sends(isBeyondTime),
  'sends-unknown-types': sends(isUnknown),
  'sends-calls-without-args': sends(isCall),
  'line-feed-after': writes((wire) => Buffer.concat([wire, Buffer.from('\n')])),
  'length-before': writes((wire) => Buffer.concat([Buffer.of(0, 0, 0, wire.length & 0xff), wire])),
  'escapes-code-units': payloadAs((json) =>
    json.replace(/[\u{10000}-\u{10ffff}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16)}`),
  ),
  'heartbeat-with-time': payloadAs((json) => (json === '{}' ? '{"ts":1}' : json)),
};

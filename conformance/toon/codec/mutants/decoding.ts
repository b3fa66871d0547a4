/** Testees that accept invalid messages, refuse valid ones, or read them wrongly. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { okAnswer, refusal } from '../../../../src/kit/suite/index.ts';
import { bytesOf, codeOf, decodes, patched, payloadOf, refuses, takes, withPayload } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

const [instruction, call, status, heartbeat] = [1, 2, 4, 6];

/** Edits the decoded header. */
const header = (edit: (header: JsonObject) => JsonObject): AnswerFault =>
  decodes((decoded) => {
    const { header: right } = decoded;
    return isObject(right) ? { ...decoded, header: { ...right, ...edit(right) } } : undefined;
  });

/** A value whose integers of 64 bits are doubles. */
function asDoubles(value: Json): Json {
  if (typeof (value as unknown) === 'bigint') return Number(value);
  if (isArray(value)) return value.map(asDoubles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asDoubles(one)]));
}

const turned = (n: Json | undefined): number => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Number(n));
  return bytes.readUInt32BE();
};

const ofType =
  (type: number, repair: (wire: Buffer) => Uint8Array | undefined) =>
  (wire: Buffer): Uint8Array | undefined =>
    wire[1] === type ? repair(wire) : undefined;

/** Edits the text of an uncompressed payload. */
const text =
  (edit: (text: string) => string) =>
  (wire: Buffer): Uint8Array =>
    withPayload(wire, Buffer.from(edit(payloadOf(wire).toString('utf8'))));

const asHeartbeat = (wire: Buffer): Uint8Array => withPayload(patched(wire, 1, heartbeat), Buffer.from('{}'));

/** An incomplete message with the payloadLength of its present bytes. */
const asMuch = (wire: Buffer): Uint8Array => withPayload(wire, wire.subarray(18));

/** Edits the `data` of a TOOL_RESULT, if it is a text. */
const data = (edit: (text: string) => Json): AnswerFault =>
  decodes((decoded) => {
    const { payload } = decoded;
    if (!isObject(payload) || typeof payload['data'] !== 'string') return undefined;
    return { ...decoded, payload: { ...payload, data: edit(payload['data']) } };
  });

/** Calls messages invalid in `toon.validate` that `toon.decode` accepts. */
const validatesMore =
  (test: (wire: Buffer) => boolean): AnswerFault =>
  (request) =>
    request['op'] === 'toon.validate' && test(bytesOf(request['wire']))
      ? okAnswer(request, { valid: false })
      : undefined;

const hasBom = (wire: Buffer): boolean => wire.subarray(18, 21).toString('hex') === 'efbbbf';

/** Strips the magic of heartbeats twice, in decode only. */
const decodesUnchecked: AnswerFault = (request) => {
  const { op, wire } = request;
  const isTwice = op === 'toon.decode' && bytesOf(wire).subarray(18).toString('hex') === '5a5a7b7d';
  return isTwice ? takes('bad-json', (bytes) => withPayload(bytes, Buffer.from('{}')))(request) : undefined;
};

const isBlank = (wire: Buffer): boolean => wire.length > 18 && /^\s+$/.test(payloadOf(wire).toString());

/** Answers without an id, so that the request has no answer. */
const silent =
  (test: (wire: Buffer) => boolean): AnswerFault =>
  ({ op, wire }) =>
    op === 'toon.decode' && test(bytesOf(wire)) ? { id: null } : undefined;

const noHint: AnswerFault = (request) =>
  request['op'] === 'toon.decode' && bytesOf(request['wire'])[0] === 0x7b
    ? refusal(request, codeOf(request) ?? '', 'bad message')
    : undefined;

const hasUnknown = (_: Buffer, { payload }: JsonObject): boolean =>
  isObject(payload) && Object.keys(payload).some((key) => key.startsWith('x_'));

const trails = (wire: Buffer): boolean => wire[1] === instruction && wire.length > 18 + wire.readUInt32LE(2);

export const decodingFaults: CodecFaults = {
  'rounds-integers': decodes((decoded) => ({ ...decoded, payload: asDoubles(decoded['payload'] ?? null) })),
  'reads-sequence-big-endian': header(({ sequenceId }) => ({ sequenceId: turned(sequenceId) })),
  'reads-32-bits-of-time': header(({ timestamp }) =>
    Number(timestamp) >= 2 ** 52 ? {} : { timestamp: String(Number(timestamp) % 2 ** 32) },
  ),
  'takes-cut-headers': takes(
    'too-short',
    ofType(status, () => withPayload(patched(Buffer.alloc(18), 0, 1, heartbeat), Buffer.from('{}'))),
  ),
  'takes-cut-payloads': takes('truncated', ofType(status, asMuch)),
  'takes-version-3': takes('bad-version', (wire) => (wire[0] === 3 ? patched(wire, 0, 1) : undefined)),
  'takes-type-10': takes('bad-type', (wire) => (wire[1] === 10 ? patched(wire, 1, heartbeat) : undefined)),
  'validates-more': validatesMore(hasBom),
  'decodes-unchecked': decodesUnchecked,
  'reads-to-the-end': takes('bad-json', ofType(instruction, asMuch)),
  'refuses-trailing': refuses('toon.decode', 'bad-input', trails),
  'replaces-bad-utf8': takes(
    'bad-utf8',
    ofType(
      instruction,
      text((t) => t),
    ),
  ),
  'takes-nan': takes(
    'bad-json',
    ofType(
      instruction,
      text((t) => t.replace(/\b(?:NaN|Infinity)\b/, '0')),
    ),
  ),
  'takes-trailing-commas': takes(
    'bad-json',
    ofType(
      instruction,
      text((t) => t.replace(',}', '}')),
    ),
  ),
  'takes-blanks': takes('bad-json', (wire) => (isBlank(wire) ? asHeartbeat(wire) : undefined)),
  'silent-over-blanks': silent(isBlank),
  'rounds-what-it-decodes': header(({ timestamp }) => ({ timestamp: String(BigInt(Number(timestamp))) })),
  'takes-calls-without-args': takes('bad-payload', ofType(call, asHeartbeat)),
  'refuses-unknown-keys': refuses('toon.decode', 'bad-payload', hasUnknown),
  'normalises-text': data((text) => text.normalize('NFC')),
  'digits-are-numbers': data((text) => (/^\d+$/.test(text) ? Number(text) : text)),
  'no-hint': noHint,
  'counts-no-trailing': decodes((decoded) => ({ ...decoded, trailing: 0 })),
  'takes-arrays': takes('bad-payload', (wire) =>
    (wire[1] ?? 0) > heartbeat ? asHeartbeat(wire) : undefined,
  ),
};

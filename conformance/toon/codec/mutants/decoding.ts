/** Testees that accept invalid messages, refuse valid ones, or read them wrongly. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { okAnswer, refusal } from '../../../../src/kit/suite/index.ts';
import {
  bytesOf,
  codeOf,
  decodes,
  mutant,
  patched,
  payloadOf,
  refuses,
  takes,
  withPayload,
} from './mutant.ts';

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

/** These mutants. */
export const decodingMutants: readonly Mutant[] = [
  mutant(
    'TOON-56',
    'rounds-integers',
    'It reads each number of a payload as a double.',
    decodes((decoded) => ({ ...decoded, payload: asDoubles(decoded['payload'] ?? null) })),
  ),
  mutant(
    'TOON-01',
    'reads-sequence-big-endian',
    'It reads sequenceId big-endian.',
    header(({ sequenceId }) => ({ sequenceId: turned(sequenceId) })),
  ),
  mutant(
    'TOON-01',
    'reads-32-bits-of-time',
    'It reads only the low half of timestamps.',
    header(({ timestamp }) =>
      Number(timestamp) >= 2 ** 52 ? {} : { timestamp: String(Number(timestamp) % 2 ** 32) },
    ),
  ),
  mutant(
    'TOON-04',
    'takes-cut-headers',
    'It takes a STATUS whose header is not whole.',
    takes(
      'too-short',
      ofType(status, () => withPayload(patched(Buffer.alloc(18), 0, 1, heartbeat), Buffer.from('{}'))),
    ),
  ),
  mutant(
    'TOON-05',
    'takes-cut-payloads',
    'It accepts an incomplete STATUS whose present bytes are JSON.',
    takes('truncated', ofType(status, asMuch)),
  ),
  mutant(
    'TOON-06',
    'takes-version-3',
    'It takes version 3.',
    takes('bad-version', (wire) => (wire[0] === 3 ? patched(wire, 0, 1) : undefined)),
  ),
  mutant(
    'TOON-07',
    'takes-type-10',
    'It takes type 10.',
    takes('bad-type', (wire) => (wire[1] === 10 ? patched(wire, 1, heartbeat) : undefined)),
  ),
  mutant(
    'TOON-08',
    'validates-more',
    'Its validate refuses a byte-order mark, which its decode takes.',
    validatesMore(hasBom),
  ),
  mutant(
    'TOON-08',
    'decodes-unchecked',
    'Its decode takes a heartbeat that its validate refuses.',
    decodesUnchecked,
  ),
  mutant(
    'TOON-09',
    'reads-to-the-end',
    'It reads all bytes after the header as the payload.',
    takes('bad-json', ofType(instruction, asMuch)),
  ),
  mutant(
    'TOON-09',
    'refuses-trailing',
    'It refuses an INSTRUCTION with bytes after it.',
    refuses('toon.decode', 'bad-input', trails),
  ),
  mutant(
    'TOON-10',
    'replaces-bad-utf8',
    'It reads bytes that are not UTF-8 as U+FFFD.',
    takes(
      'bad-utf8',
      ofType(
        instruction,
        text((t) => t),
      ),
    ),
  ),
  mutant(
    'TOON-11',
    'takes-nan',
    'It takes NaN.',
    takes(
      'bad-json',
      ofType(
        instruction,
        text((t) => t.replace(/\b(?:NaN|Infinity)\b/, '0')),
      ),
    ),
  ),
  mutant(
    'TOON-11',
    'takes-trailing-commas',
    'It takes a comma before a closing brace.',
    takes(
      'bad-json',
      ofType(
        instruction,
        text((t) => t.replace(',}', '}')),
      ),
    ),
  ),
  mutant(
    'TOON-11',
    'takes-blanks',
    'It takes white space for {}.',
    takes('bad-json', (wire) => (isBlank(wire) ? asHeartbeat(wire) : undefined)),
  ),
  mutant(
    'TOON-11',
    'silent-over-blanks',
    'It does not answer when a payload is white space.',
    silent(isBlank),
  ),
  mutant(
    'TOON-28',
    'rounds-what-it-decodes',
    'It takes timestamps for doubles.',
    header(({ timestamp }) => ({ timestamp: String(BigInt(Number(timestamp))) })),
  ),
  mutant(
    'TOON-35',
    'takes-calls-without-args',
    'It takes a TOOL_CALL without its fields.',
    takes('bad-payload', ofType(call, asHeartbeat)),
  ),
  mutant(
    'TOON-37',
    'refuses-unknown-keys',
    'It refuses keys that it does not know.',
    refuses('toon.decode', 'bad-payload', hasUnknown),
  ),
  mutant(
    'TOON-42',
    'normalises-text',
    'It normalises text.',
    data((text) => text.normalize('NFC')),
  ),
  mutant(
    'TOON-42',
    'digits-are-numbers',
    'It reads a text of digits as a number.',
    data((text) => (/^\d+$/.test(text) ? Number(text) : text)),
  ),
  mutant('TOON-43', 'no-hint', 'It refuses bare JSON without a word about it.', noHint),
  mutant(
    'TOON-44',
    'counts-no-trailing',
    'It always answers that no bytes follow.',
    decodes((decoded) => ({ ...decoded, trailing: 0 })),
  ),
  mutant(
    'TOON-45',
    'takes-arrays',
    'It takes a context message that is no object.',
    takes('bad-payload', (wire) => ((wire[1] ?? 0) > heartbeat ? asHeartbeat(wire) : undefined)),
  ),
];

/** Cases of validating: pairs of toon.validate and toon.decode on the same bytes, which must agree (TOON-08). */
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { Bytes } from './bytes.ts';
import { compressed, header, hex, message, run, utf8 } from './bytes.ts';
import { acceptable, flagged, invalid, valid, vectorFile } from './table.ts';

type Row = readonly [id: string, what: string, bytes: Bytes];

const heartbeat = message('HEARTBEAT', '{}');
const long = `{"success":true,"data":"${'x'.repeat(1200)}"}`;

const good: readonly Row[] = [
  ['heartbeat', 'a heartbeat', heartbeat],
  ['instruction', 'an instruction', message('INSTRUCTION', '{"instruction":"hi"}')],
  ['unicode', 'characters of several bytes', message('ERROR', '{"message":"\u00e9\u20ac\u{1f600}"}')],
  ['compressed', 'a compressed result', message('TOOL_RESULT', compressed(long))],
  ['plain', 'a long result, not compressed', message('TOOL_RESULT', long)],
  ['trailing', 'a heartbeat and bytes after it', heartbeat.concat(run(0, 5))],
];

/** "A valid TOON message must satisfy": lengths, version, type. Source: "Validation Rules". */
const bad: readonly Row[] = [
  ['nothing', 'no bytes', []],
  ['short', '17 bytes', heartbeat.slice(0, 17)],
  ['header-only', 'a header whose payload is missing', header({ payloadLength: 2 })],
  ['cut', 'a heartbeat without its last byte', heartbeat.slice(0, -1)],
  ['version-0', 'version 0', message('HEARTBEAT', '{}', { version: 0 })],
  ['version-2', 'version 2', message('HEARTBEAT', '{}', { version: 2 })],
  ['type-0', 'type 0', message('HEARTBEAT', '{}', { typeByte: 0 })],
  ['type-9', 'type 9', message('HEARTBEAT', '{}', { typeByte: 9 })],
  ['bare', 'JSON without a header', utf8('{"instruction":"hi"}')],
];

/** What the four rules do not speak of: a decoder refuses it, and validating may stop before. */
const beyond: readonly Row[] = [
  ['empty', 'no payload', header({})],
  ['utf8', 'a payload that is no UTF-8', message('HEARTBEAT', [...utf8('{"a":"'), 0x80, ...utf8('"}')])],
  ['json', 'a payload that is no JSON', message('HEARTBEAT', '{"a":}')],
  ['nan', 'NaN', message('HEARTBEAT', '{"a":NaN}')],
  ['missing', 'an INSTRUCTION without instruction', message('INSTRUCTION', '{}')],
  ['triple', 'a triple cut short', message('HEARTBEAT', compressed('{}').concat(0xff, 0x20))],
  ['magic-twice', 'the magic twice', message('HEARTBEAT', [0x5a, 0x5a, 0x7b, 0x7d])],
];

/** Where a decoder may do either, it does the same in both. */
const either: readonly Row[] = [
  ['bom', 'a byte-order mark', message('HEARTBEAT', [0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ['array', 'a heartbeat whose payload is []', message('HEARTBEAT', '[]')],
  ['count-0', 'a count of 0', message('HEARTBEAT', compressed('{}').concat(0xff, 0x20, 0))],
  ['time', 'timestamp 2^64-1', message('HEARTBEAT', '{}', { timestamp: 2n ** 64n - 1n })],
  ['depth', '300 arrays in each other', message('HEARTBEAT', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`)],
];

const validate: readonly Vector[] = flagged('pair', [
  ...good.map(([id, what, bytes]) =>
    valid(`pair-${id}-validate`, what, 8, { wire: hex(bytes) }, { valid: true }),
  ),
  ...bad.map(([id, what, bytes]) => ({
    ...invalid(`pair-${id}-validate`, what, 8, { wire: hex(bytes) }),
    expect: { valid: false },
  })),
  ...flagged(
    'lenient',
    [...beyond, ...either].map(([id, what, bytes]) =>
      acceptable(`pair-${id}-validate`, what, 8, { wire: hex(bytes) }, { valid: true }),
    ),
  ),
]);

const decode: readonly Vector[] = flagged('pair', [
  ...good.map(([id, what, bytes]) => valid(`pair-${id}-decode`, what, 8, { wire: hex(bytes) }, {})),
  ...[...bad, ...beyond].map(([id, what, bytes]) =>
    invalid(`pair-${id}-decode`, what, 8, { wire: hex(bytes) }),
  ),
  ...flagged(
    'lenient',
    either.map(([id, what, bytes]) => acceptable(`pair-${id}-decode`, what, 8, { wire: hex(bytes) }, {})),
  ),
]);

/** validate.json */
export const validateCases = (seed: string): VectorFile =>
  vectorFile('validate', seed, [
    ['toon.validate', validate],
    ['toon.decode', decode],
  ]);

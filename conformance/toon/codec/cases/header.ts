/** Cases of the header: its fields at their limits, versions and types that are none. */
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { HeaderFields, TypeName } from './bytes.ts';
import { hex, message, typeByte, typeNames } from './bytes.ts';
import { acceptable, flagged, invalid, valid, vectorFile } from './table.ts';

/** The smallest payload of each type that has all it needs (TOON-35). */
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

const heartbeat = (fields: HeaderFields): string => hex(message('HEARTBEAT', '{}', fields));

/** Source: TOON Protocol Specification, "Message Types". */
const types: readonly Vector[] = typeNames.map((type) =>
  valid(
    `header-type-${type.toLowerCase().replace('_', '-')}`,
    `${type} is type ${typeByte[type]}`,
    1,
    { wire: hex(message(type, smallest[type])) },
    { header: { version: 1, type: typeByte[type] } },
  ),
);

/** The known answer of the requirement list, byte for byte. */
const known = valid(
  'header-known-answer',
  'HEARTBEAT 1 at 1700000000000, the known answer',
  1,
  { wire: '0106020000000068e5cf8b010000010000007b7d' },
  { header: { version: 1, type: 6, payloadLength: 2, timestamp: '1700000000000', sequenceId: 1 } },
);

/** uint32 LE at offset 14: 0 to 4294967295. Source: "Header Fields". */
const sequenceIds: readonly Vector[] = [
  0, 1, 0xff, 0x100, 0xffff, 0x1_0000, 0x0102_0304, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
].map((sequenceId) =>
  valid(
    `header-sequence-${sequenceId}`,
    `sequenceId ${sequenceId}`,
    1,
    { wire: heartbeat({ sequenceId }) },
    { header: { sequenceId } },
  ),
);

/** uint64 LE at offset 6. Source: "Header Fields". */
const timestamps: readonly Vector[] = [
  0n,
  1n,
  0xffn,
  0x100n,
  0xffff_ffffn,
  0x1_0000_0000n,
  0x01_0203_0405_0607n,
].map((timestamp) =>
  valid(
    `header-timestamp-${timestamp}`,
    `timestamp ${timestamp}`,
    1,
    { wire: heartbeat({ timestamp }) },
    { header: { timestamp: String(timestamp) } },
  ),
);

/** Beyond 2^53 a double has no room for every integer: refused, or exact, but never rounded (TOON-28). */
const largeTimestamps: readonly Vector[] = [
  valid(
    'header-timestamp-2p53-1',
    'timestamp 2^53-1: the largest that every implementation has exactly',
    28,
    { wire: heartbeat({ timestamp: 2n ** 53n - 1n }) },
    { header: { timestamp: '9007199254740991' } },
  ),
  ...(
    [
      ['2p53', 2n ** 53n],
      ['2p53p1', 2n ** 53n + 1n],
      ['2p53p3', 2n ** 53n + 3n],
      ['2p63-1', 2n ** 63n - 1n],
      ['2p63', 2n ** 63n],
      ['2p64-1', 2n ** 64n - 1n],
    ] as const
  ).map(([id, timestamp]) =>
    acceptable(
      `header-timestamp-${id}`,
      `timestamp ${timestamp}: exact, or refused`,
      28,
      { wire: heartbeat({ timestamp }) },
      { header: { timestamp: String(timestamp) } },
    ),
  ),
];

/** uint32 LE at offset 2, in bytes. Spaces after the JSON make the length. */
const lengths: readonly Vector[] = [3, 0xff, 0x100, 0x1_0000].map((payloadLength) =>
  valid(
    `header-length-${payloadLength}`,
    `payloadLength ${payloadLength}`,
    1,
    { wire: hex(message('HEARTBEAT', '{}'.padEnd(payloadLength))) },
    { header: { payloadLength } },
  ),
);

/** "`version` equals `TOON_VERSION` (currently `1`)". Source: "Validation Rules", 2. */
const versions: readonly Vector[] = [0, 2, 3, 0x10, 0x7f, 0x80, 0x81, 0xff].map((version) =>
  invalid(`version-${version}`, `version ${version}`, 6, { wire: heartbeat({ version }) }, 'bad-version'),
);

/** "`type` is one of the defined `MessageType` values". Source: "Validation Rules", 3. */
const badTypes: readonly Vector[] = [0, 9, 10, 0x11, 0x18, 0x7f, 0x80, 0x86, 0xff].map((type) =>
  invalid(
    `type-${type}`,
    `type ${type}`,
    7,
    { wire: hex(message('HEARTBEAT', '{}', { typeByte: type })) },
    'bad-type',
  ),
);

function random(seed: string, random: Random): readonly Vector[] {
  const one = (n: number): Vector => {
    const type = typeNames[random.below(typeNames.length)] ?? 'HEARTBEAT';
    const timestamp = (BigInt(random.below(2 ** 21)) << 32n) | BigInt(random.below(2 ** 32));
    const sequenceId = random.below(2 ** 32);
    const payload = smallest[type].padEnd(random.below(120));
    return valid(
      `header-random-${seed}-${n}`,
      `${type} with any timestamp and sequenceId`,
      1,
      { wire: hex(message(type, payload, { timestamp, sequenceId })) },
      {
        header: {
          version: 1,
          type: typeByte[type],
          payloadLength: payload.length,
          timestamp: String(timestamp),
          sequenceId,
        },
      },
    );
  };
  return flagged(
    'random',
    Array.from({ length: 10 }, (_, n) => one(n + 1)),
  );
}

/** header.json */
export const headerCases = (seed: string, source: Random): VectorFile =>
  vectorFile('header', seed, [
    [
      'toon.decode',
      [
        known,
        ...types,
        ...sequenceIds,
        ...timestamps,
        ...largeTimestamps,
        ...lengths.slice(0, -1),
        ...flagged('large', lengths.slice(-1)),
        ...versions,
        ...badTypes,
        ...random(seed, source),
      ],
    ],
  ]);

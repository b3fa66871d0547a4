/**
 * Cases of encoding. No two encoders need to write the same bytes (white space, order of keys, compression), so what is
 * expected is facts about the bytes; each test names only those that its row is about.
 */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import { typeNames } from './bytes.ts';
import { smallest } from './header.ts';
import { randomJson, randomObject } from './json.ts';
import { missing, mistyped, noObjects } from './payload.ts';
import { acceptable, flagged, invalid, sending, sendingResult, valid, vectorFile } from './table.ts';

const slug = (type: string): string => type.toLowerCase().replace('_', '-');

/** Source: TOON Protocol Specification, "Header Fields" and "Message Types". */
const headers: readonly Vector[] = [
  ...typeNames.map((type) =>
    valid(
      `encode-type-${slug(type)}`,
      `${type} in the header's second byte`,
      1,
      sending(type, JSON.parse(smallest[type]) as JsonObject),
      { type },
    ),
  ),
  ...[0, 1, 0x100, 0x0102_0304, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].map((sequenceId) =>
    valid(
      `encode-sequence-${sequenceId}`,
      `sequenceId ${sequenceId}`,
      1,
      sending('HEARTBEAT', {}, { sequenceId }),
      {
        sequenceId,
      },
    ),
  ),
  ...['0', '1', '256', '4294967295', '4294967296', '283686952306183'].map((timestamp) =>
    valid(
      `encode-timestamp-${timestamp}`,
      `timestamp ${timestamp}`,
      1,
      sending('HEARTBEAT', {}, { timestamp }),
      {
        timestamp,
      },
    ),
  ),
];

/** Exact, or refused; never rounded (TOON-28). */
const largeTimestamps: readonly Vector[] = [
  valid(
    'encode-timestamp-2p53-1',
    'timestamp 2^53-1: the largest that every implementation has exactly',
    28,
    sending('HEARTBEAT', {}, { timestamp: '9007199254740991' }),
    { timestamp: '9007199254740991' },
  ),
  ...(
    [
      ['2p53', '9007199254740992'],
      ['2p53p1', '9007199254740993'],
      ['2p63-1', '9223372036854775807'],
      ['2p63', '9223372036854775808'],
      ['2p64-1', '18446744073709551615'],
    ] as const
  ).map(([id, timestamp]) =>
    acceptable(
      `encode-timestamp-${id}`,
      `timestamp ${timestamp}: exact, or refused`,
      28,
      sending('HEARTBEAT', {}, { timestamp }),
      { timestamp },
    ),
  ),
];

/** Messages of all kinds and lengths, for what holds of each. */
const samples: readonly (readonly [id: string, what: string, input: JsonObject])[] = [
  ['heartbeat', 'a heartbeat', sending('HEARTBEAT', {})],
  ['ascii', 'ASCII', sending('INSTRUCTION', { instruction: 'Write unit tests' })],
  [
    'unicode',
    'characters of two to four bytes',
    sending('INSTRUCTION', { instruction: '\u00e9\u20ac\u{1f600}'.repeat(20) }),
  ],
  [
    'long-unicode',
    'more than 1024 bytes of them',
    sending('INSTRUCTION', { instruction: '\u00e9\u20ac\u{1f600}'.repeat(200) }),
  ],
  ['escapes', 'characters that JSON escapes', sending('INSTRUCTION', { instruction: '"\\\n\t\u0000' })],
  ['no-runs', 'more than 1024 bytes without a run', sendingResult('ab'.repeat(600))],
  ['run', 'a run of 2000', sendingResult('x'.repeat(2000))],
  [
    'unicode-run',
    'a run, then characters of several bytes',
    sendingResult(`${'x'.repeat(1500)}\u00e9\u{1f600}`),
  ],
];

const onAll = (id: string, what: string, row: number, facts: JsonObject): readonly Vector[] =>
  samples.map(([sample, of, input]) => valid(`encode-${id}-${sample}`, `${what}: ${of}`, row, input, facts));

/** "Protocol version (currently `1`)"; payloadLength is that on the wire; no byte-order mark. */
const everywhere: readonly Vector[] = [
  ...onAll('version', 'version 1', 2, { version: 1 }),
  ...onAll('length', 'payloadLength as on the wire', 3, { framed: true }),
  ...onAll('no-bom', 'no byte-order mark', 12, { without: ['bom'] }),
  valid(
    'encode-no-bom-in-text',
    'a text that begins with U+FEFF keeps it',
    42,
    sending('INSTRUCTION', { instruction: '\ufeffhi' }),
    { payload: { instruction: '\ufeffhi' } },
  ),
];

/**
 * A payload is an object (TOON-13), with the fields of its type (TOON-35); heartbeats carry {} (TOON-47). The code of a
 * refusal is left open: what is wrong is the input, and the payload.
 */
const payloads: readonly Vector[] = [
  ...noObjects.map(([id, json]) =>
    invalid(
      `encode-object-${id}`,
      `a payload that is ${json}`,
      13,
      sending('HEARTBEAT', JSON.parse(json) as Json),
    ),
  ),
  ...missing.map(([id, type, lacks, payload]) =>
    invalid(`encode-missing-${id}`, `${type} without ${lacks}`, 35, sending(type, payload)),
  ),
  ...mistyped.map(([id, type, what, payload]) =>
    invalid(`encode-mistyped-${id}`, `${type} ${what}`, 35, sending(type, payload)),
  ),
  ...[0, 1, 0xffff_ffff].map((sequenceId) =>
    valid(
      `encode-heartbeat-${sequenceId}`,
      'a heartbeat carries {}',
      47,
      sending('HEARTBEAT', {}, { sequenceId }),
      { payload: {} },
    ),
  ),
];

/** What no header can say is refused, not cut to fit (TOON-32). */
const ranges: readonly Vector[] = [
  ...(
    [
      ['negative', -1],
      ['2p32', 2 ** 32],
      ['2p53', 2 ** 53],
      ['half', 1.5],
    ] as const
  ).map(([id, sequenceId]) =>
    invalid(
      `encode-sequence-${id}`,
      `sequenceId ${sequenceId}`,
      32,
      sending('HEARTBEAT', {}, { sequenceId }),
      'bad-input',
    ),
  ),
  ...(
    [
      ['negative', '-1'],
      ['2p64', '18446744073709551616'],
      ['2p65', '36893488147419103233'],
      ['half', '1.5'],
    ] as const
  ).map(([id, timestamp]) =>
    invalid(
      `encode-timestamp-${id}`,
      `timestamp ${timestamp}`,
      32,
      sending('HEARTBEAT', {}, { timestamp }),
      'bad-input',
    ),
  ),
  ...(
    [
      ['unknown', 'PING'],
      ['empty', ''],
      ['lower', 'heartbeat'],
      ['inherited', 'constructor'],
    ] as const
  ).map(([id, type]) => invalid(`encode-type-${id}`, `type "${type}"`, 32, sending(type, {}), 'bad-input')),
];

/** The payload as parsed JSON (TOON-42). */
const values: readonly Vector[] = (
  [
    ['unicode', 'text that is no ASCII', '\u00e9\u20ac\u{1f600} \u05d0\u4e2d'],
    ['escapes', 'characters that JSON escapes', '"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028'],
    ['not-normal', 'e-acute as two characters stays two', 'e\u0301'],
    ['numbers', 'numbers', [0, -1, 1.5, -0.25, 100, 9007199254740991, -9007199254740991]],
    ['words', 'words', [true, false, null]],
    ['nested', 'values in values', [[{ a: [{ b: {} }], '10': 1, '9': 2 }]]],
    ['empty', 'what is empty', ['', [], {}, { '': '' }]],
    ['proto', 'a key that is special in JavaScript', { ['__proto__']: { a: 1 }, constructor: 2 }],
    ['magic', 'a text that begins with Z', 'ZZZZ'],
    ['long', 'a long text with runs', `${'x'.repeat(1500)}\u00e9${'='.repeat(300)}`],
  ] as readonly (readonly [string, string, Json])[]
).map(([id, what, data]) =>
  valid(`encode-value-${id}`, what, 42, sendingResult(data), { payload: { success: true, data } }),
);

function random(seed: string, random: Random): readonly Vector[] {
  const header = (n: number): Vector => {
    const timestamp = String((BigInt(random.below(2 ** 21)) << 32n) | BigInt(random.below(2 ** 32)));
    const sequenceId = random.below(2 ** 32);
    const type = typeNames[random.below(typeNames.length)] ?? 'HEARTBEAT';
    const input = sending(type, JSON.parse(smallest[type]) as JsonObject, { timestamp, sequenceId });
    return valid(`encode-random-${seed}-header-${n}`, 'any header', 1, input, {
      type,
      timestamp,
      sequenceId,
    });
  };
  const value = (n: number): Vector => {
    const data = [randomJson(random, 3), 'x'.repeat(random.below(2) * (1000 + random.below(900)))];
    const id = `encode-random-${seed}-value-${n}`;
    return valid(id, 'any data', 42, sendingResult(data, { compress: n % 2 === 0 }), {
      payload: { success: true, data },
    });
  };
  const call = (n: number): Vector => {
    const payload = { toolName: 'any', args: randomObject(random, 3) };
    return valid(`encode-random-${seed}-call-${n}`, 'any args', 42, sending('TOOL_CALL', payload), {
      payload,
    });
  };
  return flagged(
    'random',
    Array.from({ length: 5 }, (_, n) => [header(n + 1), value(n + 1), call(n + 1)]).flat(),
  );
}

/** encode.json */
export const encodeCases = (seed: string, source: Random): VectorFile =>
  vectorFile('encode', seed, [
    [
      'toon.encode',
      [
        ...headers,
        ...largeTimestamps,
        ...everywhere,
        ...payloads,
        ...ranges,
        ...values,
        ...random(seed, source),
      ],
    ],
  ]);

/** Cases of lengths: messages that are cut, messages with something after them, lengths that are no use. */
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { Bytes } from './bytes.ts';
import { header, hex, message, run, utf8 } from './bytes.ts';
import { flagged, invalid, valid, vectorFile } from './table.ts';

const status = message('STATUS', '{"status":"working"}');

/** "Buffer length >= `HEADER_SIZE` (18 bytes)". Source: TOON Protocol Specification, "Validation Rules", 1. */
const inTheHeader: readonly Vector[] = Array.from({ length: 18 }, (_, length) =>
  invalid(
    `cut-at-${length}`,
    `cut in the header, after ${length} bytes`,
    4,
    { wire: hex(status.slice(0, length)) },
    'too-short',
  ),
);

/** "Buffer length >= `HEADER_SIZE + payloadLength`". Source: "Validation Rules", 4. */
const inThePayload: readonly Vector[] = [
  ...Array.from({ length: status.length - 18 }, (_, i) =>
    invalid(
      `cut-at-${18 + i}`,
      `cut in the payload, after ${i} of ${status.length - 18} bytes`,
      5,
      { wire: hex(status.slice(0, 18 + i)) },
      'truncated',
    ),
  ),
  invalid(
    'cut-after-json',
    'cut where the JSON is whole already: spaces that were announced are missing',
    5,
    { wire: hex(message('STATUS', '{"status":"working"}   ').slice(0, -2)) },
    'truncated',
  ),
  invalid(
    'length-one-too-many',
    'payloadLength is one more than there is',
    5,
    { wire: hex(message('HEARTBEAT', '{}', { payloadLength: 3 })) },
    'truncated',
  ),
  invalid(
    'length-without-payload',
    'payloadLength 2 and no payload',
    5,
    { wire: hex(header({ payloadLength: 2 })) },
    'truncated',
  ),
  invalid(
    'cut-long',
    '4 KiB of payload but for its last byte',
    5,
    { wire: hex(message('HEARTBEAT', '{}'.padEnd(4096)).slice(0, -1)) },
    'truncated',
  ),
];

/** A length that would have the decoder allocate before it looks (TOON-26). */
const announced: readonly Vector[] = [0x0100_0001, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].map(
  (payloadLength) =>
    invalid(
      `announced-${payloadLength}`,
      `payloadLength ${payloadLength} before 2 bytes: refused without room being made for it`,
      26,
      { wire: hex(message('HEARTBEAT', '{}', { payloadLength })) },
      'too-large',
    ),
);

const instruction = '{"instruction":"hi"}';

/** Single-buffer decoding ignores what follows the message (TOON-09), and should say how much that is (TOON-44). */
const afterwards: readonly (readonly [id: string, what: string, bytes: Bytes])[] = [
  ['zero', 'a zero byte', [0]],
  ['brace', 'a closing brace', utf8('}')],
  ['text', 'a second JSON value', utf8('{"instruction":"ho"}')],
  ['ff', '17 bytes of 0xFF', run(0xff, 17)],
  ['message', 'a second message', message('HEARTBEAT', '{}', { sequenceId: 2 })],
  ['part', 'a part of a second message', message('HEARTBEAT', '{}', { sequenceId: 2 }).slice(0, 9)],
  ['version', 'a message of version 2', message('HEARTBEAT', '{}', { version: 2 })],
];

const trailing: readonly Vector[] = [
  ...afterwards.map(([id, what, bytes]) =>
    valid(
      `trailing-${id}`,
      `followed by ${what}`,
      9,
      { wire: hex(message('INSTRUCTION', instruction), bytes) },
      { payload: { instruction: 'hi' } },
    ),
  ),
  invalid(
    'length-says-less',
    'payloadLength ends before the closing brace: what follows is no part of the payload',
    9,
    { wire: hex(message('INSTRUCTION', instruction, { payloadLength: instruction.length - 1 })) },
    'bad-json',
  ),
];

const counted: readonly Vector[] = [['none', 'nothing', []] as const, ...afterwards].map(
  ([id, what, bytes]) =>
    valid(
      `trailing-count-${id}`,
      `followed by ${what}: ${bytes.length} bytes`,
      44,
      { wire: hex(message('INSTRUCTION', instruction), bytes) },
      { trailing: bytes.length },
    ),
);

function random(seed: string, random: Random): readonly Vector[] {
  const one = (n: number): Vector => {
    const payload = JSON.stringify({ status: 'x'.repeat(1 + random.below(300)) });
    const whole = message('STATUS', payload, { sequenceId: random.below(2 ** 32) });
    const at = random.below(whole.length);
    return invalid(
      `cut-random-${seed}-${n}`,
      `${whole.length} bytes, cut after ${at}`,
      at < 18 ? 4 : 5,
      { wire: hex(whole.slice(0, at)) },
      at < 18 ? 'too-short' : 'truncated',
    );
  };
  return flagged(
    'random',
    Array.from({ length: 8 }, (_, n) => one(n + 1)),
  );
}

/** length.json */
export const lengthCases = (seed: string, source: Random): VectorFile =>
  vectorFile('length', seed, [
    [
      'toon.decode',
      [
        ...inTheHeader,
        ...inThePayload,
        ...flagged('default-cap', announced),
        ...trailing,
        ...counted,
        ...random(seed, source),
      ],
    ],
  ]);

/**
 * Cases of compressing: when a payload may be compressed, and what holds of it then. One that is sent as it is passes
 * wherever compression is a MAY.
 */
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import { sendingResult, valid, vectorFile } from './table.ts';

/** "Payloads exceeding 1,024 bytes … are optionally compressed". Source: "Compression". */
const thresholds: readonly Vector[] = [
  ...[10, 100, 500, 900].map((count) =>
    valid(
      `encode-small-${count}`,
      `a run of ${count}: too small to compress`,
      14,
      sendingResult('x'.repeat(count)),
      {
        compressed: false,
      },
    ),
  ),
  ...[997, 998, 999].map((count) =>
    valid(
      `encode-small-${count}`,
      `${count + 26} bytes when written without white space: compressed only where it is more than 1024`,
      14,
      sendingResult('x'.repeat(count)),
      { without: ['compressed-small'] },
    ),
  ),
];

/** "Compression is only applied if the encoded result is smaller than the original" (the magic counts; a tie is allowed). */
const gains: readonly Vector[] = (
  [
    ['no-runs', 'no run: one byte lost', 'ab'.repeat(600)],
    ['threes', 'runs of three only', 'aaab'.repeat(400)],
    ['tie', 'one run of four: a tie', `${'ab'.repeat(600)}xxxx`],
    ['gain', 'one run of five: one byte won', `${'ab'.repeat(600)}xxxxx`],
    ['unicode', 'no run in UTF-8', '\u00e9\u20ac\u{1f600}'.repeat(200)],
  ] as const
).map(([id, what, data]) =>
  valid(`encode-gain-${id}`, what, 15, sendingResult(data), { without: ['compressed-not-shorter'] }),
);

const compressible: readonly (readonly [id: string, what: string, data: string])[] = [
  ['2000', 'a run of 2000', 'x'.repeat(2000)],
  ['5100', 'a run of 20 times 255', 'x'.repeat(5100)],
  ['fours', 'runs of four', 'aaaabbbb'.repeat(200)],
  [
    'mixed',
    'runs of many lengths',
    [4, 5, 100, 255, 256, 257, 510, 511, 3, 2, 1].map((n, i) => 'abcdefghijk'.charAt(i).repeat(n)).join(''),
  ],
  ['lines', 'an indented text', Array.from({ length: 40 }, (_, n) => `${' '.repeat(n)}line\\n`).join('')],
];

/** What holds of a payload when it is compressed; one that is not passes too. */
const coding: readonly Vector[] = compressible.flatMap(([id, what, data]) => [
  valid(`encode-magic-${id}`, `${what}: when compressed, the magic says so`, 16, sendingResult(data), {
    compressed: 'may',
    payload: { success: true, data },
  }),
  ...(
    [
      ['run', 19, 'run-literal', 'runs of four and more as triples'],
      ['split', 20, 'run-split', 'no triple too many'],
      ['zero', 22, 'count-zero', 'no count of 0'],
    ] as const
  ).map(([fact, row, word, holds]) =>
    valid(`encode-${fact}-${id}`, `${what}: ${holds}`, row, sendingResult(data), { without: [word] }),
  ),
]);

/** A sender can be told not to compress, for receivers that cannot expand (TOON-27). */
const uncompressed: readonly Vector[] = compressible.map(([id, what, data]) =>
  valid(
    `encode-plain-${id}`,
    `${what}, and no compression asked for`,
    27,
    sendingResult(data, { compress: false }),
    {
      compressed: false,
    },
  ),
);

/** encode-compression.json */
export const encodeCompressionCases = (seed: string): VectorFile =>
  vectorFile('encode-compression', seed, [
    ['toon.encode', [...thresholds, ...gains, ...coding, ...uncompressed]],
  ]);

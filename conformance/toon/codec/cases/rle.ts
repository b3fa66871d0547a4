/** Cases of run-length coding by itself: the edges of runs, the escape byte, triples that are odd or broken. */
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { Bytes } from './bytes.ts';
import { hex, rle, run, utf8 } from './bytes.ts';
import { flagged, invalid, valid, vectorFile } from './table.ts';

const [A, B, escape] = [0x41, 0x42, 0xff];

const encodes = (id: string, comment: string, row: number, from: Bytes, to: string): Vector =>
  valid(`rle-${id}`, comment, row, { bytes: hex(from) }, { bytes: to });

/** "Runs of 4+ bytes … are encoded as: `0xFF <byte> <count>`". Source: TOON Protocol Specification, "RLE Encoding". */
const runs: readonly Vector[] = [
  encodes('run-4', 'the shortest run', 19, run(A, 4), 'ff4104'),
  encodes('run-5', 'a run of 5', 19, run(A, 5), 'ff4105'),
  encodes('run-16', 'a run of 16', 19, run(A, 16), 'ff4110'),
  encodes('run-64', 'a run of 64', 19, run(A, 64), 'ff4140'),
  encodes('run-zeros', 'a run of zero bytes', 19, run(0, 10), 'ff000a'),
  encodes('run-magic', 'a run of the magic byte', 19, run(0x5a, 4), 'ff5a04'),
  encodes('run-fe', 'a run of 0xFE', 19, run(0xfe, 4), 'fffe04'),
  encodes('run-first', 'a run, then a literal', 19, [...run(A, 4), B], 'ff410442'),
  encodes('run-last', 'a literal, then a run', 19, [B, ...run(A, 4)], '42ff4104'),
  encodes('runs-two', 'two runs side by side', 19, [...run(A, 4), ...run(B, 5)], 'ff4104ff4205'),
  encodes('runs-apart', 'two runs of one byte', 19, [...run(A, 6), B, ...run(A, 6)], 'ff410642ff4106'),
];

/** Cut at 255; remainders, and runs, under 4 are literal (TOON-20). */
const edges: readonly Vector[] = [
  encodes('run-1', 'one byte', 20, run(A, 1), '41'),
  encodes('run-2', 'two like bytes', 20, run(A, 2), '4141'),
  encodes('run-3', 'three like bytes', 20, run(A, 3), '414141'),
  encodes('no-runs', 'no runs', 20, utf8('abcabc'), '616263616263'),
  encodes('threes', 'runs of three', 20, utf8('aaabbbaaa'), '616161626262616161'),
  encodes('run-128', 'a run of 128', 20, run(A, 128), 'ff4180'),
  encodes('run-254', 'a run of 254', 20, run(A, 254), 'ff41fe'),
  encodes('run-256', 'one more than a triple holds', 20, run(A, 256), 'ff41ff41'),
  encodes('run-257', 'two more', 20, run(A, 257), 'ff41ff4141'),
  encodes('run-258', 'three more', 20, run(A, 258), 'ff41ff414141'),
  encodes('run-300', 'a triple, and one of 45', 20, run(A, 300), 'ff41ffff412d'),
  encodes('run-511', 'two triples and one more', 20, run(A, 511), 'ff41ffff41ff41'),
  encodes('run-512', 'two triples and two more', 20, run(A, 512), 'ff41ffff41ff4141'),
  encodes('run-1000', 'three triples and one of 235', 20, run(A, 1000), 'ff41ffff41ffff41ffff41eb'),
];

/** A remainder of four is a run like any other. */
const remainders: readonly Vector[] = [
  encodes('run-259', 'a triple, and the shortest run', 19, run(A, 259), 'ff41ffff4104'),
  encodes('run-514', 'two triples, and the shortest run', 19, run(A, 514), 'ff41ffff41ffff4104'),
];

/** Multiples of 255 leave no remainder: no triple of count 0 (TOON-22). A fact each, so that each row stands for itself. */
const multiples: readonly Vector[] = [255, 510, 765].flatMap((count) =>
  (
    [
      ['literal', 19, 'run-literal', 'all of it in triples'],
      ['split', 20, 'run-split', 'in no more triples than it takes'],
      ['zero', 22, 'count-zero', 'no triple of count 0'],
    ] as const
  ).map(([id, row, word, what]) =>
    valid(
      `rle-run-${count}-${id}`,
      `a run of ${count}: ${what}`,
      row,
      { bytes: hex(run(A, count)) },
      {
        without: [word],
      },
    ),
  ),
);

/** "Runs of 4+ bytes (or the escape byte `0xFF`)": every 0xFF is in a triple (TOON-21). */
const escapes: readonly Vector[] = [
  encodes('ff-1', 'one 0xFF', 21, run(escape, 1), 'ffff01'),
  encodes('ff-2', 'two', 21, run(escape, 2), 'ffff02'),
  encodes('ff-3', 'three', 21, run(escape, 3), 'ffff03'),
  encodes('ff-4', 'four', 21, run(escape, 4), 'ffff04'),
  encodes('ff-254', '254 of them', 21, run(escape, 254), 'fffffe'),
  encodes('ff-256', '256 of them: the last is escaped too', 21, run(escape, 256), 'ffffffffff01'),
  encodes('ff-300', '300 of them', 21, run(escape, 300), 'ffffffffff2d'),
  encodes('ff-between', 'between literals', 21, [A, escape, B], '41ffff0142'),
  encodes('ff-first', 'before literals', 21, [escape, A, B], 'ffff014142'),
  encodes('ff-last', 'after literals', 21, [A, B, escape], '4142ffff01'),
  encodes('ff-apart', 'every other byte', 21, [escape, A, escape, B, escape], 'ffff0141ffff0142ffff01'),
  encodes('ff-like-triple', 'what looks like a triple', 21, [escape, A, 3], 'ffff014103'),
  encodes(
    'every-byte',
    'every byte once',
    21,
    Array.from({ length: 256 }, (_, i) => i),
    hex(Array.from({ length: 255 }, (_, i) => i)).concat('ffff01'),
  ),
];

const nothing = valid('rle-empty', 'nothing: no triple of count 0', 22, { bytes: '' }, { bytes: '' });

const decodes = (id: string, comment: string, row: number, from: string, to: Bytes): Vector =>
  valid(`unrle-${id}`, comment, row, { bytes: from }, { bytes: hex(to) });

/** What every encoder may write. */
const expansions: readonly Vector[] = [
  decodes('empty', 'nothing', 17, '', []),
  decodes('literal', 'literals', 17, '414243', [A, B, 0x43]),
  decodes('run-4', 'a triple', 17, 'ff4104', run(A, 4)),
  decodes('run-255', 'the longest triple', 17, 'ff41ff', run(A, 255)),
  decodes('run-256', 'a triple and a literal', 17, 'ff41ff41', run(A, 256)),
  decodes('run-511', 'two triples and a literal', 17, 'ff41ffff41ff41', run(A, 511)),
  decodes('ff-1', 'an escaped 0xFF', 17, 'ffff01', [escape]),
  decodes('ff-3', 'three of them', 17, 'ffff03', run(escape, 3)),
  decodes('ff-255', 'the most of them', 17, 'ffffff', run(escape, 255)),
  decodes('ff-then-run', 'an escaped 0xFF, then a run', 17, 'ffff01ff4104', [escape, ...run(A, 4)]),
  decodes('zeros', 'a run of zero bytes', 17, 'ff0005', run(0, 5)),
  decodes('count-is-escape', 'a count of 255, then a literal', 17, 'ff41ff42', [...run(A, 255), B]),
];

/** What no encoder needs to write, and every decoder takes (TOON-23). */
const odd: readonly Vector[] = [
  decodes('count-1', 'a count of 1', 23, 'ff4101', run(A, 1)),
  decodes('count-2', 'a count of 2', 23, 'ff4102', run(A, 2)),
  decodes('count-3', 'a count of 3', 23, 'ff4103', run(A, 3)),
  decodes('adjacent', 'a run in two triples', 23, 'ff4104ff4105', run(A, 9)),
  decodes('adjacent-small', 'a run in triples of 1 and 2', 23, 'ff4101ff4102', run(A, 3)),
  decodes('remainder', 'a remainder of 1 as a triple', 23, 'ff41ffff4101', run(A, 256)),
  decodes('literals', 'a run as literals', 23, '414141414141', run(A, 6)),
  decodes('ff-adjacent', '0xFF in two triples', 23, 'ffff01ffff01', run(escape, 2)),
];

/** The magic is the payload's, not the coding's: here it is a literal like any other (TOON-25). */
const noMagic: readonly Vector[] = [
  decodes('magic', 'the byte 0x5A', 25, '5a', [0x5a]),
  decodes('magic-first', '0x5A, then a literal', 25, '5a41', [0x5a, A]),
  decodes('magic-run', '0x5A, then a run of it', 25, '5aff5a04', run(0x5a, 5)),
];

const cut: readonly Vector[] = (
  [
    ['escape', 'ff'],
    ['byte', 'ff41'],
    ['after-literals', '4142ff'],
    ['after-literals-byte', '4142ff43'],
    ['after-triple', 'ff4104ff'],
    ['after-triple-byte', 'ff4104ff42'],
    ['escape-twice', 'ffff'],
    ['after-ff', 'ffff01ff'],
    ['after-ff-byte', 'ffff01ffff'],
  ] as const
).map(([id, bytes]) => invalid(`unrle-cut-${id}`, `a triple cut short: ${bytes}`, 24, { bytes }, 'bad-rle'));

const zero: readonly Vector[] = (
  [
    ['alone', 'ff4100'],
    ['ff', 'ffff00'],
    ['between', '41ff420043'],
    ['after-255', 'ff41ffff4100'],
  ] as const
).map(([id, bytes]) => invalid(`unrle-zero-${id}`, `a count of 0: ${bytes}`, 46, { bytes }, 'bad-rle'));

/** Random runs of bytes that differ from their neighbours, of lengths that concern one row only. */
function randomRuns(random: Random, length: () => number): Bytes {
  let byte = random.below(255);
  return Array.from({ length: 3 + random.below(10) }, () => {
    byte = (byte + 1 + random.below(253)) % 255;
    return run(byte, length());
  }).flat();
}

function randomEncodes(seed: string, random: Random): readonly Vector[] {
  const one = (n: number): Vector => {
    const kinds = [
      [19, 'runs', (): Bytes => randomRuns(random, () => 4 + random.below(61))],
      [
        20,
        'edges',
        (): Bytes => randomRuns(random, () => [1, 2, 3, 65, 254, 256, 257][random.below(7)] ?? 1),
      ],
      [
        21,
        'ff',
        (): Bytes => randomRuns(random, () => 1).flatMap((byte) => [byte, ...run(escape, random.below(5))]),
      ],
    ] as const;
    const [row, kind, make] = kinds[n % 3] ?? kinds[0];
    const bytes = make();
    return encodes(`random-${seed}-${n}`, `any ${kind}, ${bytes.length} bytes`, row, bytes, hex(rle(bytes)));
  };
  return flagged(
    'random',
    Array.from({ length: 9 }, (_, n) => one(n + 1)),
  );
}

function randomDecodes(seed: string, random: Random): readonly Vector[] {
  const one = (n: number): Vector => {
    const bytes = randomRuns(random, () => 1 + random.below(300)).concat(run(escape, random.below(4)));
    const id = `random-${seed}-${n}`;
    if (n % 3 > 0) return decodes(id, `any bytes, ${bytes.length} of them`, 17, hex(rle(bytes)), bytes);
    const broken = [...rle(bytes), ...[escape, random.below(256)].slice(0, 1 + random.below(2))];
    const comment = 'any bytes, then a triple cut short';
    return invalid(`unrle-${id}`, comment, 24, { bytes: hex(broken) }, 'bad-rle');
  };
  return flagged(
    'random',
    Array.from({ length: 9 }, (_, n) => one(n + 1)),
  );
}

/** rle.json */
export const rleCases = (seed: string, source: Random): VectorFile =>
  vectorFile('rle', seed, [
    [
      'toon.rle.encode',
      [...runs, ...edges, ...remainders, ...multiples, ...escapes, nothing, ...randomEncodes(seed, source)],
    ],
    ['toon.rle.decode', [...expansions, ...odd, ...noMagic, ...cut, ...zero, ...randomDecodes(seed, source)]],
  ]);

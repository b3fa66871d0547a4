/** Cases of decoding compressed payloads: any size, odd triples, broken triples, magic twice; and large plain ones. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { Bytes, TypeName } from './bytes.ts';
import { compressed, hex, message, run, typeNames, utf8 } from './bytes.ts';
import { smallest } from './header.ts';
import { randomJson } from './json.ts';
import { flagged, invalid, valid, vectorFile } from './table.ts';

const wire = (type: TypeName, payload: string | Bytes): JsonObject => ({ wire: hex(message(type, payload)) });

const [magic, escape, x] = [0x5a, 0xff, 0x78];

/** A TOOL_RESULT whose `data` is coded by hand, and the closing quote and brace. */
const coded = (...data: readonly Bytes[]): Bytes =>
  [magic].concat(utf8('{"success":true,"data":"'), data.flat(), utf8('"}'));

const triple = (byte: number, count: number): Bytes => [escape, byte, count];

/** 1275 × `x`, so that what stands beside it is in a payload of more than 1024 bytes. */
const long: Bytes = Array.from({ length: 5 }, () => triple(x, 255)).flat();
const longText = 'x'.repeat(1275);

const result = (data: string): JsonObject => ({ payload: { success: true, data } });

/** "If present, strip the magic byte and decode the RLE payload" says nothing of sizes. Source: "Decompression". */
const sizes: readonly Vector[] = [
  valid(
    'compressed-known-answer',
    '2000 × x, the known answer',
    17,
    {
      wire: `0103330000000068e5cf8b010000070000005a7b2273756363657373223a747275652c2264617461223a22ff78ffff78ffff78ffff78ffff78ffff78ffff78ffff78d7227d`,
    },
    { header: { payloadLength: 51 }, ...result('x'.repeat(2000)) },
  ),
  valid('compressed-empty-object', '{} after the magic', 17, wire('HEARTBEAT', compressed('{}')), {
    payload: {},
  }),
  ...typeNames.map((type) =>
    valid(
      `compressed-${type.toLowerCase().replace('_', '-')}`,
      `a small ${type}, compressed though that makes it longer`,
      17,
      wire(type, compressed(smallest[type])),
      { payload: JSON.parse(smallest[type]) as JsonObject },
    ),
  ),
  ...[1, 4, 255, 256, 998, 999, 2000, 5000].map((count) =>
    valid(
      `compressed-run-${count}`,
      `a run of ${count}, ${count + 26} bytes expanded`,
      17,
      wire('TOOL_RESULT', compressed(`{"success":true,"data":"${'x'.repeat(count)}"}`)),
      result('x'.repeat(count)),
    ),
  ),
  valid(
    'compressed-tie',
    'compressed and plain are of one length',
    17,
    wire('TOOL_RESULT', compressed(`{"success":true,"data":"${'ab'.repeat(600)}xxxx"}`)),
    result(`${'ab'.repeat(600)}xxxx`),
  ),
  valid(
    'compressed-no-runs',
    'nothing but literals, one byte longer than plain',
    17,
    wire('TOOL_RESULT', compressed(`{"success":true,"data":"${'ab'.repeat(600)}"}`)),
    result('ab'.repeat(600)),
  ),
  valid(
    'compressed-unicode',
    'characters of several bytes between runs',
    17,
    wire('TOOL_RESULT', compressed(`{"success":true,"data":"\u00e9${'='.repeat(1100)}\u{1f600}"}`)),
    result(`\u00e9${'='.repeat(1100)}\u{1f600}`),
  ),
  ...[70_000, 2 ** 20].map((spaces) =>
    valid(
      `compressed-white-${spaces}`,
      `${spaces} spaces between two values`,
      17,
      wire('TOOL_RESULT', compressed(`{"success":true,${' '.repeat(spaces)}"data":"x"}`)),
      result('x'),
    ),
  ),
];

/** "If absent, the payload is uncompressed — use as-is", however long it is (TOON-18). Source: "Decompression". */
const plain: readonly Vector[] = [
  ...[999, 1000, 2000, 8000].map((count) =>
    valid(
      `plain-run-${count}`,
      `a run of ${count}, not compressed`,
      18,
      wire('TOOL_RESULT', `{"success":true,"data":"${'x'.repeat(count)}"}`),
      result('x'.repeat(count)),
    ),
  ),
  valid(
    'plain-white-first',
    'more than 1024 bytes that begin with white space',
    18,
    wire('TOOL_RESULT', `${' '.repeat(1100)}{"success":true,"data":"x"}`),
    result('x'),
  ),
  valid(
    'plain-magic-within',
    'the magic byte within',
    18,
    wire('TOOL_RESULT', `{"success":true,"data":"ZZZZ${'x'.repeat(1100)}"}`),
    result(`ZZZZ${'x'.repeat(1100)}`),
  ),
];

/** What no encoder needs to write, and every decoder takes (TOON-23): counts under 4, runs in any number of triples. */
const oddTriples: readonly Vector[] = (
  [
    ['count-1', 'a count of 1', triple(0x79, 1), 'y'],
    ['count-2', 'a count of 2', triple(0x79, 2), 'yy'],
    ['count-3', 'a count of 3', triple(0x79, 3), 'yyy'],
    ['rest-of-1', 'a remainder of 1 as a triple', triple(x, 1), 'x'],
    ['halves', 'a run in two like halves', [...triple(0x79, 4), ...triple(0x79, 4)], 'y'.repeat(8)],
    [
      'single',
      'a run in triples of count 1',
      [...triple(0x79, 1), ...triple(0x79, 1), ...triple(0x79, 1)],
      'yyy',
    ],
    ['literal-run', 'a run as literals', run(0x79, 6), 'y'.repeat(6)],
    ['literal-and-run', 'a literal before the run of its byte', [0x79, ...triple(0x79, 4)], 'y'.repeat(5)],
    ['run-and-literal', 'a literal after the run of its byte', [...triple(0x79, 4), 0x79], 'y'.repeat(5)],
    ['magic', 'a run of the magic byte', triple(magic, 3), 'ZZZ'],
    ['character', 'a character whose bytes are triples', [...triple(0xc3, 1), ...triple(0xa9, 1)], '\u00e9'],
  ] as const
).map(([id, what, bytes, text]) =>
  valid(`triple-${id}`, what, 23, wire('TOOL_RESULT', coded(long, bytes)), result(longText + text)),
);

/** Triples that end early (TOON-24). The JSON before them is whole where it can be, so that nothing else is wrong. */
const cutTriples: readonly Vector[] = (
  [
    ['escape', 'ends with the escape byte', [...coded(long), escape]],
    ['byte', 'ends after the byte of a triple', [...coded(long), escape, 0x20]],
    ['escape-twice', 'ends with two escape bytes', [...coded(long), escape, escape]],
    ['after-triple', 'a whole triple, then the escape byte', [...coded(long), ...triple(0x20, 4), escape]],
    ['within', 'ends within the run of a string', coded(long).slice(0, -3)],
    ['alone', 'the magic and the escape byte', [magic, escape]],
    ['alone-byte', 'the magic and two bytes of a triple', [magic, escape, 0x41]],
  ] as const
).map(([id, what, bytes]) => invalid(`triple-cut-${id}`, what, 24, wire('TOOL_RESULT', bytes), 'bad-rle'));

/** One magic is stripped, not two (TOON-25): what remains begins with Z, and no JSON does. */
const magics: readonly Vector[] = [
  invalid(
    'magic-twice',
    'the magic twice, then JSON',
    25,
    wire('TOOL_RESULT', [magic, ...coded(long)]),
    'bad-json',
  ),
  invalid(
    'magic-thrice',
    'the magic three times, then JSON',
    25,
    wire('TOOL_RESULT', [magic, magic, ...coded(long)]),
    'bad-json',
  ),
  invalid(
    'magic-run',
    'the magic, then a triple of the magic, then JSON',
    25,
    wire('TOOL_RESULT', [magic, ...triple(magic, 1), ...coded(long).slice(1)]),
    'bad-json',
  ),
  invalid(
    'compressed-twice',
    'compressed, and the outcome once more: bytes that are no text',
    25,
    wire('TOOL_RESULT', compressed(compressed(`{"success":true,"data":"${longText}"}`))),
  ),
  valid(
    'magic-in-text',
    'a string that begins with Z: no magic',
    25,
    wire('TOOL_RESULT', compressed(`{"success":true,"data":"Z${longText}"}`)),
    result(`Z${longText}`),
  ),
];

/** A count of 0 stands for nothing; decoders should refuse it (TOON-46). */
const zeroCounts: readonly Vector[] = (
  [
    ['within', 'in a string', coded(long, triple(x, 0))],
    ['other', 'of another byte than the run beside it', coded(long, triple(0x79, 0), utf8('y'))],
    ['after', 'after the JSON', [...coded(long), ...triple(0x20, 0)]],
    ['escape', 'of the escape byte', coded(long, triple(escape, 0))],
  ] as const
).map(([id, what, bytes]) =>
  invalid(`triple-zero-${id}`, `a count of 0 ${what}`, 46, wire('TOOL_RESULT', bytes), 'bad-rle'),
);

/** What is wrong only once it is expanded. */
const expanded: readonly Vector[] = [
  invalid(
    'expanded-ff',
    'an escaped 0xFF: bytes that no UTF-8 has',
    10,
    wire('TOOL_RESULT', coded(long, triple(escape, 1))),
    'bad-utf8',
  ),
  invalid(
    'expanded-continuations',
    'a run of continuation bytes',
    10,
    wire('TOOL_RESULT', coded(long, triple(0x80, 4))),
    'bad-utf8',
  ),
  invalid('expanded-empty', 'the magic and nothing else', 11, wire('HEARTBEAT', [magic]), 'bad-json'),
  invalid(
    'expanded-braces',
    'four closing braces as a triple',
    11,
    wire('TOOL_RESULT', [...coded(long).slice(0, -1), ...triple(0x7d, 4)]),
    'bad-json',
  ),
];

/** The same bytes coded at random: literals, and triples of any count. */
function anyRle(bytes: Bytes, random: Random): Bytes {
  const coded: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    let most = 1;
    while (most < 255 && bytes[at + most] === byte) most++;
    const count = 1 + random.below(most);
    coded.push(...(random.below(2) === 0 || byte === escape ? triple(byte, count) : run(byte, count)));
    at += count;
  }
  return coded;
}

function random(seed: string, random: Random): readonly Vector[] {
  const one = (n: number): Vector => {
    const data = [randomJson(random, 3), 'x'.repeat(1024 + random.below(500)), 'y'.repeat(random.below(9))];
    const bytes = utf8(JSON.stringify({ success: true, data }));
    const [id, row, payload] =
      n % 2 === 0
        ? (['plainly', 17, compressed(bytes)] as const)
        : (['anyhow', 23, [magic, ...anyRle(bytes, random)]] as const);
    const comment = `any JSON, ${bytes.length} bytes, coded ${id} as ${payload.length}`;
    return valid(`compressed-random-${seed}-${n}`, comment, row, wire('TOOL_RESULT', payload), {
      payload: { success: true, data },
    });
  };
  return flagged(
    'random',
    Array.from({ length: 10 }, (_, n) => one(n + 1)),
  );
}

/** compression.json */
export const compressionCases = (seed: string, source: Random): VectorFile =>
  vectorFile('compression', seed, [
    [
      'toon.decode',
      [
        ...sizes,
        ...plain,
        ...oddTriples,
        ...cutTriples,
        ...magics,
        ...zeroCounts,
        ...expanded,
        ...random(seed, source),
      ],
    ],
  ]);

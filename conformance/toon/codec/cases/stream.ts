/** Cases of streams: bare concatenated messages in any chunking, unfinished ones, frames to skip, lengths over the cap. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import type { Bytes, HeaderFields } from './bytes.ts';
import { compressed, header, hex, message, run, utf8 } from './bytes.ts';
import { acceptable, flagged, valid, vectorFile } from './table.ts';

const said = (status: string): Bytes => message('STATUS', JSON.stringify({ status }));
const saying = (...statuses: readonly string[]): readonly Json[] =>
  statuses.map((status) => ({ payload: { status } }));

/** Bytes cut at these places. */
function cutAt(bytes: Bytes, ...places: readonly number[]): JsonObject {
  const edges = [0, ...places, bytes.length];
  return { chunks: edges.slice(1).map((end, i) => hex(bytes.slice(edges[i], end))) };
}

const heartbeat = message('HEARTBEAT', '{}');
const three = [heartbeat, said('a'), heartbeat].flat();
const ofThree = { messages: [{ payload: {} }, ...saying('a'), { payload: {} }], pending: 0 };

/** Three messages, in two chunks cut at every place there is (TOON-38). */
const everyCut: readonly Vector[] = Array.from({ length: three.length - 1 }, (_, i) =>
  valid(
    `stream-cut-${i + 1}`,
    `three messages of ${three.length} bytes, cut after ${i + 1}`,
    38,
    cutAt(three, i + 1),
    ofThree,
  ),
);

const thousand = 'x'.repeat(1000);
const many = Array.from({ length: 60 }, (_, n) => String(n));

const chunkings: readonly Vector[] = [
  valid('stream-whole', 'three messages in one chunk', 38, cutAt(three), ofThree),
  valid(
    'stream-bytes',
    'three messages byte by byte',
    38,
    cutAt(three, ...Array.from({ length: three.length - 1 }, (_, i) => i + 1)),
    ofThree,
  ),
  valid(
    'stream-apart',
    'each message in its chunk',
    38,
    cutAt(three, heartbeat.length, heartbeat.length + said('a').length),
    ofThree,
  ),
  valid(
    'stream-empty-chunks',
    'empty chunks between',
    38,
    { chunks: ['', hex(said('a')), '', '', hex(said('b')), ''] },
    { messages: saying('a', 'b'), pending: 0 },
  ),
  valid('stream-nothing', 'no chunk', 38, { chunks: [] }, { messages: [], pending: 0 }),
  valid(
    'stream-many',
    '60 messages in one chunk',
    38,
    { chunks: [hex(many.flatMap(said))] },
    { messages: saying(...many), pending: 0 },
  ),
  valid(
    'stream-long',
    'a long message in chunks of 7',
    38,
    cutAt(said(thousand), ...Array.from({ length: 145 }, (_, i) => 7 * (i + 1))),
    { messages: saying(thousand), pending: 0 },
  ),
  valid(
    'stream-compressed',
    'a compressed message between two others, cut in a triple',
    38,
    cutAt(
      [said('a'), message('STATUS', compressed(`{"status":"${'x'.repeat(1200)}"}`)), said('b')].flat(),
      said('a').length + 18 + 13,
    ),
    { messages: saying('a', 'x'.repeat(1200), 'b'), pending: 0 },
  ),
  valid(
    'stream-like-header',
    'a payload that holds what looks like a header',
    38,
    cutAt([said('\u0001\u0006\u0002{}'), said('b')].flat(), 24),
    { messages: saying('\u0001\u0006\u0002{}', 'b'), pending: 0 },
  ),
];

/** "streaming: await": an unfinished frame gives no message, and is no fault (TOON-05). */
const unfinished: readonly Vector[] = [
  ...[1, 2, 6, 17, 18, 19, 31].map((bytes) =>
    valid(
      `stream-pending-${bytes}`,
      `a message, and ${bytes} bytes of the next`,
      5,
      { chunks: [hex(said('a'), said('b').slice(0, bytes))] },
      { messages: saying('a'), pending: bytes },
    ),
  ),
  valid(
    'stream-pending-chunks',
    'a message that stays unfinished over three chunks',
    5,
    cutAt(said('a').slice(0, 30), 10, 20),
    { messages: [], pending: 30 },
  ),
  valid(
    'stream-pending-1000',
    'all of a long message but its last byte',
    5,
    { chunks: [hex(said(thousand).slice(0, -1))] },
    { messages: [], pending: said(thousand).length - 1 },
  ),
];

const skippable: readonly (readonly [
  id: string,
  what: string,
  payload: string | Bytes,
  fields: HeaderFields,
])[] = [
  ['version-0', 'version 0', '{}', { version: 0 }],
  ['version-2', 'version 2', '{}', { version: 2 }],
  ['version-255', 'version 255', '{}', { version: 255 }],
  ['type-0', 'type 0', '{}', { typeByte: 0 }],
  ['type-9', 'type 9', '{}', { typeByte: 9 }],
  ['type-255', 'type 255', '{}', { typeByte: 255 }],
  ['version-bytes', 'version 2 with a payload of any bytes', [...run(0xff, 40), 0, 1, 2], { version: 2 }],
  ['version-no-payload', 'version 2 without a payload', [], { version: 2 }],
  ['version-long', 'version 2 with 3000 bytes', run(0x5a, 3000), { version: 2 }],
  ['version-message', 'version 2 with a whole message as its payload', said('hidden'), { version: 2 }],
  ['type-message', 'type 9 with a whole message as its payload', said('hidden'), { typeByte: 9 }],
];

/** "Future versions may introduce new payload encodings … while maintaining the same header layout": skipped by length. */
const skipped: readonly Vector[] = [
  ...skippable.map(([id, what, payload, fields]) =>
    valid(
      `stream-skip-${id}`,
      `${what}, between two messages`,
      39,
      { chunks: [hex(said('a'), message('HEARTBEAT', payload, fields), said('b'))] },
      { messages: saying('a', 'b'), skipped: 1, pending: 0 },
    ),
  ),
  valid(
    'stream-skip-first',
    'version 2 before the first message',
    39,
    { chunks: [hex(message('HEARTBEAT', '{}', { version: 2 }), said('a'))] },
    { messages: saying('a'), skipped: 1, pending: 0 },
  ),
  valid(
    'stream-skip-several',
    'three of them on end, cut everywhere',
    39,
    cutAt(
      [
        said('a'),
        ...[{ version: 2 }, { typeByte: 9 }, { version: 0, typeByte: 0 }].map((fields) =>
          message('HEARTBEAT', '{}', fields),
        ),
        said('b'),
      ].flat(),
      ...Array.from({ length: 120 }, (_, i) => i + 1),
    ),
    { messages: saying('a', 'b'), skipped: 3, pending: 0 },
  ),
  valid(
    'stream-skip-unfinished',
    'version 2, not whole yet',
    39,
    { chunks: [hex(said('a'), message('HEARTBEAT', '{}', { version: 2 }).slice(0, -1))] },
    { messages: saying('a'), skipped: 0, pending: 19 },
  ),
];

/** "close when over cap": nothing after it is a message, and nothing waits for its rest (TOON-39). */
const closed: readonly Vector[] = flagged(
  'default-cap',
  [0x0100_0001, 0x8000_0000, 0xffff_ffff].map((payloadLength) =>
    acceptable(
      `stream-over-cap-${payloadLength}`,
      `a frame of ${payloadLength} bytes between two messages: closed, or refused`,
      39,
      { chunks: [hex(said('a'), header({ payloadLength }), said('b'))] },
      { messages: saying('a'), pending: 0 },
    ),
  ),
);

/** A frame whose payload is no message gives none; whether the stream goes on after it is left open. */
const refused: readonly Vector[] = flagged(
  'lenient',
  (
    [
      ['json', 11, 'whose payload is no JSON', '{"a":}'],
      ['utf8', 10, 'whose payload is no UTF-8', [...utf8('{"a":"'), 0x80, ...utf8('"}')]],
      ['triple', 24, 'whose payload ends in a triple', compressed('{}').concat(0xff)],
    ] as const
  ).map(([id, row, what, payload]) =>
    acceptable(
      `stream-refused-${id}`,
      `a message, then a frame ${what}`,
      row,
      { chunks: [hex(said('a'), message('HEARTBEAT', payload))] },
      { messages: saying('a'), pending: 0 },
    ),
  ),
);

function random(seed: string, random: Random): readonly Vector[] {
  const one = (n: number): Vector => {
    const statuses = Array.from({ length: 1 + random.below(6) }, () => 'y'.repeat(random.below(90)));
    const bytes = statuses.flatMap(said);
    const rest = random.below(2) * random.below(32);
    const places = Array.from({ length: random.below(12) }, () => random.below(bytes.length));
    const whole = [...bytes, ...said('rest').slice(0, rest)];
    return valid(
      `stream-random-${seed}-${n}`,
      `${statuses.length} messages and ${rest} bytes, in ${places.length + 1} chunks`,
      rest === 0 ? 38 : 5,
      cutAt(whole, ...places.toSorted((a, b) => a - b)),
      { messages: saying(...statuses), pending: rest },
    );
  };
  return flagged(
    'random',
    Array.from({ length: 10 }, (_, n) => one(n + 1)),
  );
}

/** stream.json */
export const streamCases = (seed: string, source: Random): VectorFile =>
  vectorFile('stream', seed, [
    [
      'toon.stream',
      [...everyCut, ...chunkings, ...unfinished, ...skipped, ...closed, ...refused, ...random(seed, source)],
    ],
  ]);

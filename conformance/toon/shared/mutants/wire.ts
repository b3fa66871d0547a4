/** Roles that send wrong frames: TOON-01, 02, 12 to 15, 19, 20, 22, 30, 31, 35 and 38. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { COMPRESSION_THRESHOLD, MAX_SEQUENCE_ID, isCompressed } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import {
  changed,
  framed,
  joined,
  literal,
  packed,
  payloadIn,
  plain,
  rightly,
  runs,
  triple,
  utf8,
} from './bytes.ts';
import type { PeerFault, MakeMutant } from './mutant.ts';

const writes = (edit: (frame: Uint8Array, message: ToonMessage) => Uint8Array) => (): PeerFault => ({
  writes: edit,
});

/** Compresses the payloads that `when` selects, with its own encoding of runs. */
export const compresses = (
  when: (size: number, compressed: number) => boolean,
  write: (byte: number, size: number) => readonly number[],
): (() => PeerFault) =>
  writes((frame, message) => {
    const text = plain(message);
    const code = packed(runs(text, write));
    return framed(frame, when(text.length, code.length) ? code : text);
  });

const rightSize = (size: number, compressed: number): boolean =>
  size > COMPRESSION_THRESHOLD && compressed < size;

/** Runs of 5 and more only. */
const fromFive = (byte: number, size: number): readonly number[] =>
  size === 4 ? literal(byte, size) : rightly(byte, size);

/** Runs of 3, too. */
const fromThree = (byte: number, size: number): readonly number[] =>
  size === 3 ? triple(byte, size) : rightly(byte, size);

/** Parts of 254. */
function partsOf254(byte: number, size: number): readonly number[] {
  if (size <= 254) return rightly(byte, size);
  return [...triple(byte, 254), ...partsOf254(byte, size - 254)];
}

/** Also writes a rest of 1 to 3 bytes as a triple. */
function restAsTriple(byte: number, size: number): readonly number[] {
  const rest = size % 255;
  if (size < 255 || rest === 0 || rest > 3) return rightly(byte, size);
  return [...rightly(byte, size - rest), ...triple(byte, rest)];
}

/** Also a rest of 0 bytes becomes a triple. */
export function emptyRest(byte: number, size: number): readonly number[] {
  return size >= 255 && size % 255 === 0 ? [...rightly(byte, size), ...triple(byte, 0)] : rightly(byte, size);
}

/** Parts of 256, each in two halves. */
function halvesOf256(byte: number, size: number): readonly number[] {
  if (size < 256) return rightly(byte, size);
  return [...triple(byte, 128), ...triple(byte, 128), ...halvesOf256(byte, size - 256)];
}

/** A count of 256 in one byte. */
function partsOf256(byte: number, size: number): readonly number[] {
  if (size < 256) return rightly(byte, size);
  return [...triple(byte, 0), ...partsOf256(byte, size - 256)];
}

/** Bytes in front of every frame. */
const prefixed =
  (little: boolean) =>
  (frame: Uint8Array): Uint8Array => {
    const prefix = new Uint8Array(4);
    new DataView(prefix.buffer).setUint32(0, frame.length, little);
    return joined(prefix, frame);
  };

const swapLength = (bytes: Uint8Array): void => bytes.set(bytes.subarray(2, 6).toReversed(), 2);

const headerMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant(
    'TOON-01',
    'big-endian-length',
    'It writes payloadLength with the highest byte first.',
    writes((frame) => changed(frame, swapLength)),
  ),
  mutant(
    'TOON-01',
    'no-header',
    'It sends bare JSON.',
    writes((frame) => Uint8Array.from(payloadIn(frame))),
  ),
  mutant(
    'TOON-01',
    'type-nine',
    'It sends messages of a type 9.',
    writes((frame) => changed(frame, (bytes) => void (bytes[1] = 9))),
  ),
  mutant(
    'TOON-02',
    'version-two',
    'It sends version 2.',
    writes((frame) => changed(frame, (bytes) => void (bytes[0] = 2))),
  ),
  mutant(
    'TOON-02',
    'version-zero',
    'It sends version 0.',
    writes((frame) => changed(frame, (bytes) => void (bytes[0] = 0))),
  ),
];

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

const payloadMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant(
    'TOON-12',
    'byte-order-mark',
    'It begins its payloads with a byte order mark.',
    writes((frame) =>
      isCompressed(payloadIn(frame)) ? frame : framed(frame, joined(byteOrderMark, payloadIn(frame))),
    ),
  ),
  mutant(
    'TOON-13',
    'json-in-a-string',
    'Its payloads are strings that hold JSON.',
    writes((frame, message) => framed(frame, utf8(JSON.stringify(JSON.stringify(message.payload))))),
  ),
  mutant(
    'TOON-13',
    'single-quotes',
    'Its payloads have single quotes, which JSON does not know.',
    writes((frame, message) => framed(frame, utf8(JSON.stringify(message.payload).replaceAll('"', "'")))),
  ),
  mutant(
    'TOON-13',
    'latin-1',
    'Its payloads are Latin-1.',
    writes((frame, message) => {
      const text = JSON.stringify({ ...message.payload, by: 'José' });
      return framed(
        frame,
        Uint8Array.from(text, (char) => char.charCodeAt(0)),
      );
    }),
  ),
  mutant(
    'TOON-13',
    'heartbeats-of-null',
    'Its heartbeats have the payload null.',
    writes((frame, { type }) => (type === 'HEARTBEAT' ? framed(frame, utf8('null')) : frame)),
  ),
];

const compressionMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant(
    'TOON-14',
    'compresses-small',
    'It compresses every payload that gets shorter by compression.',
    compresses((size, compressed) => compressed < size, rightly),
  ),
  mutant(
    'TOON-15',
    'compresses-always',
    'It compresses every payload above 1024 bytes, even if it gets longer.',
    compresses((size) => size > COMPRESSION_THRESHOLD, rightly),
  ),
  mutant(
    'TOON-19',
    'runs-of-four-as-they-are',
    'It writes runs of 4 bytes without a triple.',
    compresses(rightSize, fromFive),
  ),
  mutant(
    'TOON-19',
    'runs-of-three-in-triples',
    'It writes runs of 3 bytes as triples.',
    compresses(rightSize, fromThree),
  ),
  mutant('TOON-20', 'parts-of-254', 'It splits runs at 254.', compresses(rightSize, partsOf254)),
  mutant(
    'TOON-20',
    'rest-as-triple',
    'It writes a rest of 1 to 3 bytes as a triple.',
    compresses(rightSize, restAsTriple),
  ),
  mutant(
    'TOON-20',
    'parts-of-256-in-halves',
    'It splits runs at 256, and writes each part in two triples of 128.',
    compresses(rightSize, halvesOf256),
  ),
  mutant(
    'TOON-22',
    'count-of-256',
    'It writes a run of 256 with the count 0.',
    compresses(rightSize, partsOf256),
  ),
];

/** Ids after the first wrap. */
const afterWrap = (edit: (id: number) => number) => (): PeerFault => {
  let wrapped = false;
  return {
    number(id, n) {
      wrapped ||= n > 0 && id === 0;
      return wrapped ? edit(id) : id;
    },
  };
};

const orderMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant('TOON-30', 'one-id', 'All its messages have the same sequenceId.', () => ({ number: () => 7 })),
  mutant('TOON-30', 'counts-down', 'Its sequence ids fall.', () => ({ number: (_, n) => 1000 - n })),
  mutant('TOON-30', 'ids-in-pairs', 'Two messages share a sequenceId.', () => ({
    number: (_, n) => 100 + Math.floor(n / 2),
  })),
  mutant(
    'TOON-31',
    'skips-zero',
    'After 4294967295 it goes on with 1.',
    afterWrap((id) => id + 1),
  ),
  mutant(
    'TOON-31',
    'stays-at-the-end',
    'It stays at 4294967295.',
    afterWrap(() => MAX_SEQUENCE_ID),
  ),
];

/** Text before the first frame. */
const announces = (text: string) => (): PeerFault => {
  let first = true;
  return {
    writes(frame) {
      const before = first ? utf8(text) : new Uint8Array();
      first = false;
      return joined(before, frame);
    },
  };
};

/** Text after each frame that `when` selects; `n` counts the frames before. */
const logs = (text: string, when: (n: number, message: ToonMessage) => boolean) => (): PeerFault => {
  let n = 0;
  return { writes: (frame, message) => (when(n++, message) ? joined(frame, utf8(text)) : frame) };
};

const textMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant(
    'TOON-38',
    'banner',
    'It prints its name before its first message.',
    announces('toon 1.0 is ready\n'),
  ),
  mutant('TOON-38', 'short-banner', 'It prints two letters before its first message.', announces('ok\n')),
  mutant(
    'TOON-38',
    'log-lines',
    'After its second message it prints a line of text.',
    logs('12:01:07 [info] calling a tool\n', (n) => n === 1),
  ),
  mutant(
    'TOON-38',
    'json-log-lines',
    'After its second message it prints a line of JSON.',
    logs('{"level":"info","msg":"calling a tool"}\n', (n) => n === 1),
  ),
  mutant(
    'TOON-38',
    'line-feeds',
    'It ends each message with a line feed.',
    logs('\n', () => true),
  ),
  mutant(
    'TOON-38',
    'farewell',
    'It prints a line after each end, and after each result.',
    logs(
      'done\n',
      (_, { type, payload }) =>
        type === 'TOOL_RESULT' || ('status' in payload && payload.status === 'completed'),
    ),
  ),
];

const framingMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant(
    'TOON-38',
    'length-before-frames',
    'It writes a length of 4 bytes, highest first, before every frame.',
    writes(prefixed(false)),
  ),
  mutant(
    'TOON-38',
    'little-length-before-frames',
    'It writes a length of 4 bytes, lowest first, before every frame.',
    writes(prefixed(true)),
  ),
];

/** The mutants of this theme. */
export const wireMutants = (mutant: MakeMutant): readonly Mutant[] => [
  ...headerMutants(mutant),
  ...payloadMutants(mutant),
  ...compressionMutants(mutant),
  ...orderMutants(mutant),
  ...framingMutants(mutant),
  ...textMutants(mutant),
];

/** Roles that send wrong frames: TOON-01, 02, 12 to 15, 19, 20, 22, 30, 31, 35 and 38. */
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
import type { PeerFault, PeerFaults } from './mutant.ts';

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

const headerFaults: PeerFaults = {
  'big-endian-length': writes((frame) => changed(frame, swapLength)),
  'no-header': writes((frame) => Uint8Array.from(payloadIn(frame))),
  'type-nine': writes((frame) => changed(frame, (bytes) => void (bytes[1] = 9))),
  'version-two': writes((frame) => changed(frame, (bytes) => void (bytes[0] = 2))),
  'version-zero': writes((frame) => changed(frame, (bytes) => void (bytes[0] = 0))),
};

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

const payloadFaults: PeerFaults = {
  'byte-order-mark': writes((frame) =>
    isCompressed(payloadIn(frame)) ? frame : framed(frame, joined(byteOrderMark, payloadIn(frame))),
  ),
  'json-in-a-string': writes((frame, message) =>
    framed(frame, utf8(JSON.stringify(JSON.stringify(message.payload)))),
  ),
  'single-quotes': writes((frame, message) =>
    framed(frame, utf8(JSON.stringify(message.payload).replaceAll('"', "'"))),
  ),
  'latin-1': writes((frame, message) => {
    const text = JSON.stringify({ ...message.payload, by: 'José' });
    return framed(
      frame,
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
    );
  }),
  'heartbeats-of-null': writes((frame, { type }) =>
    type === 'HEARTBEAT' ? framed(frame, utf8('null')) : frame,
  ),
};

const compressionFaults: PeerFaults = {
  'compresses-small': compresses((size, compressed) => compressed < size, rightly),
  'compresses-always': compresses((size) => size > COMPRESSION_THRESHOLD, rightly),
  'runs-of-four-as-they-are': compresses(rightSize, fromFive),
  'runs-of-three-in-triples': compresses(rightSize, fromThree),
  'parts-of-254': compresses(rightSize, partsOf254),
  'rest-as-triple': compresses(rightSize, restAsTriple),
  'parts-of-256-in-halves': compresses(rightSize, halvesOf256),
  'count-of-256': compresses(rightSize, partsOf256),
};

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

const orderFaults: PeerFaults = {
  'one-id': () => ({ number: () => 7 }),
  'counts-down': () => ({ number: (_, n) => 1000 - n }),
  'ids-in-pairs': () => ({ number: (_, n) => 100 + Math.floor(n / 2) }),
  'skips-zero': afterWrap((id) => id + 1),
  'stays-at-the-end': afterWrap(() => MAX_SEQUENCE_ID),
};

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

const textFaults: PeerFaults = {
  banner: announces('toon 1.0 is ready\n'),
  'short-banner': announces('ok\n'),
  'log-lines': logs('12:01:07 [info] calling a tool\n', (n) => n === 1),
  'json-log-lines': logs('{"level":"info","msg":"calling a tool"}\n', (n) => n === 1),
  'line-feeds': logs('\n', () => true),
  farewell: logs(
    'done\n',
    (_, { type, payload }) =>
      type === 'TOOL_RESULT' || ('status' in payload && payload.status === 'completed'),
  ),
};

const framingFaults: PeerFaults = {
  'length-before-frames': writes(prefixed(false)),
  'little-length-before-frames': writes(prefixed(true)),
};

export const wireFaults: PeerFaults = {
  ...headerFaults,
  ...payloadFaults,
  ...compressionFaults,
  ...orderFaults,
  ...framingFaults,
  ...textFaults,
};

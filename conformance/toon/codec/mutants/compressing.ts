/** Testees that compress at the wrong time, or write runs wrongly. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { okAnswer } from '../../../../src/kit/suite/index.ts';
import { bytesOf, hexOf, okOf, payloadOf, withPayload, writes } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

const magic = 0x5a;
const escape = 0xff;
const longest = 255;

/** Encodes a run; undefined: like the reference. */
type Write = (byte: number, length: number) => readonly number[] | undefined;

const asIs = (byte: number, length: number): number[] => Array.from({ length }, () => byte);
const triple = (byte: number, count: number): number[] => [escape, byte, count];

const encoded = (bytes: Uint8Array): Buffer =>
  bytesOf(okOf({ op: 'toon.rle.encode', bytes: hexOf(bytes) })?.['bytes']);

/** RLE in which `write` encodes some runs. */
function encodedWith(bytes: Uint8Array, write: Write): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    let end = at + 1;
    while (bytes[end] === byte) end++;
    const own = write(byte, end - at);
    parts.push(own === undefined ? encoded(bytes.subarray(at, end)) : Uint8Array.from(own));
    at = end;
  }
  return Buffer.concat(parts);
}

/** The payload of a message without compression. */
function plainOf(wire: Buffer): Buffer {
  const payload = payloadOf(wire);
  if (payload[0] !== magic) return payload;
  return bytesOf(okOf({ op: 'toon.rle.decode', bytes: hexOf(payload.subarray(1)) })?.['bytes']);
}

const withMagic = (rle: Uint8Array): Buffer => Buffer.concat([Buffer.of(magic), rle]);

/** A fault in `toon.rle.encode`. */
const runsAlone =
  (write: Write): AnswerFault =>
  (request) =>
    request['op'] === 'toon.rle.encode'
      ? okAnswer(request, { bytes: hexOf(encodedWith(bytesOf(request['bytes']), write)) })
      : undefined;

/** A fault in `toon.rle.encode`, and in messages that still get shorter. */
const runs =
  (write: Write): AnswerFault =>
  (request) =>
    runsAlone(write)(request) ??
    writes((wire) => {
      if (payloadOf(wire)[0] !== magic) return undefined;
      const plain = plainOf(wire);
      const rle = withMagic(encodedWith(plain, write));
      return withPayload(wire, rle.length <= plain.length ? rle : plain);
    })(request);

/** A fault in the choice of compression. `when` gets the uncompressed payload and the length of the compressed one. */
const compresses = (
  when: (size: number, squeezed: number, asked: boolean) => boolean | undefined,
): AnswerFault =>
  writes((wire, { compress }) => {
    const plain = plainOf(wire);
    const rle = withMagic(encoded(plain));
    const wanted = when(plain.length, rle.length, compress !== false);
    return wanted === undefined ? undefined : withPayload(wire, wanted ? rle : plain);
  });

const forgetsMagic: AnswerFault = writes((wire) => {
  const payload = payloadOf(wire);
  const isLong = payload[0] === magic && plainOf(wire).length > 5000;
  return isLong ? withPayload(wire, payload.subarray(1)) : undefined;
});

/** Appends a count of 0 to runs whose length is a multiple of 255. */
const zeroAfter: Write = (byte, length) =>
  byte === escape || length % longest !== 0
    ? undefined
    : [...asIs(0, length / longest).flatMap(() => triple(byte, longest)), ...triple(byte, 0)];

const zeroForNothing: AnswerFault = (request) =>
  request['op'] === 'toon.rle.encode' && request['bytes'] === ''
    ? okAnswer(request, { bytes: 'ff0000' })
    : undefined;

export const compressingFaults: CodecFaults = {
  'compresses-small': compresses((size, squeezed, asked) =>
    asked && size <= 1024 && squeezed < size ? true : undefined,
  ),
  'compresses-always': compresses((size, _, asked) => (asked && size > 1024 ? true : undefined)),
  'forgets-magic': forgetsMagic,
  'four-as-they-are': runs((byte, length) => (length === 4 && byte !== escape ? asIs(byte, 4) : undefined)),
  'full-as-they-are': runs((byte, length) =>
    length === longest && byte !== escape ? asIs(byte, longest) : undefined,
  ),
  'splits-at-256': runsAlone((byte, length) =>
    length >= 256 && length < 259 && byte !== escape
      ? [...triple(byte, 0), ...asIs(byte, length - 256)]
      : undefined,
  ),
  'rest-as-triple': runs((byte, length) =>
    length > longest && length < 259 && byte !== escape
      ? [...triple(byte, longest), ...triple(byte, length - longest)]
      : undefined,
  ),
  'three-as-triple': runs((byte, length) => (length === 3 && byte !== escape ? triple(byte, 3) : undefined)),
  'splits-evenly': runs((byte, length) =>
    length === 300 && byte !== escape ? [...triple(byte, 150), ...triple(byte, 150)] : undefined,
  ),
  'escape-as-it-is': runs((byte, length) => (length === 1 && byte === escape ? [escape] : undefined)),
  'escapes-runs-only': runs((byte, length) =>
    byte === escape && (length === 256 || length < 4)
      ? [...(length < 4 ? [] : triple(byte, longest)), ...asIs(byte, length % longest)]
      : undefined,
  ),
  'zero-after-full': runs(zeroAfter),
  'zero-for-nothing': zeroForNothing,
  'compresses-unasked': compresses((size, squeezed, asked) =>
    !asked && size > 1024 && squeezed < size ? true : undefined,
  ),
};

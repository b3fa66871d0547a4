/** Takes frames apart and builds frames, for mutants of the wire. */
import { COMPRESSION_MAGIC, HEADER_SIZE, RLE_ESCAPE, toonCodec } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';

const encoder = new TextEncoder();

/** A text as UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Several byte strings as one. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A copy of a frame with some bytes changed. */
export function changed(frame: Uint8Array, edit: (bytes: Uint8Array) => void): Uint8Array {
  const bytes = Uint8Array.from(frame);
  edit(bytes);
  return bytes;
}

/** The payload of a frame, as on the wire. */
export const payloadIn = (frame: Uint8Array): Uint8Array => frame.subarray(HEADER_SIZE);

/** A frame with another payload and the right payloadLength. */
export function framed(frame: Uint8Array, payload: Uint8Array): Uint8Array {
  const bytes = joined(frame.subarray(0, HEADER_SIZE), payload);
  new DataView(bytes.buffer).setUint32(2, payload.length, true);
  return bytes;
}

/** The code with which the codec refuses a frame; undefined when it accepts the frame. */
export function refusalOf(frame: Uint8Array): string | undefined {
  const decoded = toonCodec.decode(frame);
  return decoded.ok ? undefined : decoded.error.code;
}

/** A message's payload before compression. */
export const plain = ({ payload }: ToonMessage): Uint8Array => utf8(JSON.stringify(payload));

/** A compressed payload. */
export const packed = (code: Uint8Array): Uint8Array => joined(Uint8Array.of(COMPRESSION_MAGIC), code);

/** Run-length code. `write` encodes a run of `size` bytes. */
export function runs(
  bytes: Uint8Array,
  write: (byte: number, size: number) => readonly number[],
): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    let end = at;
    while (bytes[end] === byte) end++;
    out.push(...write(byte, end - at));
    at = end;
  }
  return Uint8Array.from(out);
}

export const triple = (byte: number, count: number): readonly number[] => [RLE_ESCAPE, byte, count];

/** A run of `size` bytes without a triple. */
export const literal = (byte: number, size: number): readonly number[] =>
  Array.from({ length: size }, () => byte);

/** The right encoding of a run. */
export function rightly(byte: number, size: number): readonly number[] {
  const rest = size % 255;
  const whole = Array.from({ length: (size - rest) / 255 }, () => triple(byte, 255)).flat();
  return [...whole, ...(rest < 4 ? literal(byte, rest) : triple(byte, rest))];
}

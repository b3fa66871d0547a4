/** Finds the requirement that an unreadable frame of the target violates, from the codec's code and the frame's bytes. */
import { entryOf } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { HEADER_SIZE, isCompressed } from '../../../src/toon/index.ts';
import { codeOf } from './view-peer.ts';

/** A violated requirement and its message. */
export interface FrameFault {
  readonly requirement: string;
  readonly message: string;
}

const openingBrace = 0x7b;
/** The largest payload that is accepted by default (bytes). */
const cap = 16 << 20;

/** The bytes of an event; empty for an event without bytes. */
function bytesOf({ bytes = '' }: TraceEvent): Uint8Array {
  const characters = atob(bytes);
  const decoded = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) decoded[i] = characters.charCodeAt(i);
  return decoded;
}

type Reader = (bytes: Uint8Array, event: TraceEvent) => FrameFault | undefined;

const noHeader: FrameFault = {
  requirement: 'TOON-01',
  message: 'expected an 18-byte header before the payload; the frame starts with 0x7B, which is bare JSON',
};

const length = (bytes: Uint8Array, at: number, little: boolean): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, little);

/** The offset of a probable header within the first bytes: version 1, a known type, a possible length. */
function headerWithin(bytes: Uint8Array): number | undefined {
  for (let at = 1; at <= 8 && at + 6 <= bytes.length; at++) {
    const [version = 0, type = 0] = bytes.subarray(at, at + 2);
    if (version === 1 && type >= 1 && type <= 8 && length(bytes, at + 2, true) <= cap) return at;
  }
  return undefined;
}

/** Versions below this are possible. A larger first byte is not the start of a header. */
const versions = 10;

/** A header that begins too late. */
function shifted(bytes: Uint8Array): FrameFault | undefined {
  const [version = 0] = bytes;
  const at = version === 0 || version >= versions ? headerWithin(bytes) : undefined;
  if (at === undefined) return undefined;
  return {
    requirement: 'TOON-38',
    message: `expected frames with nothing between them; ${at} bytes stand before a header`,
  };
}

function badVersion(bytes: Uint8Array): FrameFault | undefined {
  const [version = 0] = bytes;
  return (
    shifted(bytes) ?? { requirement: 'TOON-02', message: `expected version 1 in the header; came ${version}` }
  );
}

function tooLarge(bytes: Uint8Array): FrameFault | undefined {
  if (bytes.length < HEADER_SIZE) return undefined;
  const between = shifted(bytes);
  if (between !== undefined) return between;
  const declared = length(bytes, 2, true);
  const swapped = length(bytes, 2, false);
  if (declared <= cap || swapped > cap) return undefined;
  return {
    requirement: 'TOON-01',
    message: `expected payloadLength in little-endian order; came ${declared}, which the other way round is ${swapped}`,
  };
}

/** Bytes that remain at the end of a stream: an incomplete frame, or bytes outside of frames. */
function cutOff(bytes: Uint8Array): FrameFault {
  const [version = 0] = bytes;
  if (version === 0 || version >= versions)
    return {
      requirement: 'TOON-38',
      message: `expected only frames; ${bytes.length} bytes that do not begin a frame were left at the end of the stream`,
    };
  const need = bytes.length < HEADER_SIZE ? HEADER_SIZE : HEADER_SIZE + length(bytes, 2, true);
  return {
    requirement: 'TOON-01',
    message: `expected ${need} bytes, as the header says; the stream ended after ${bytes.length} of them`,
  };
}

/** Whether a compressed payload has a count of 0. */
function countsZero(bytes: Uint8Array): boolean {
  for (let at = HEADER_SIZE + 1; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    if (bytes[at + 2] === 0) return true;
    at += 2;
  }
  return false;
}

/** Whether a JSON payload begins like an object. */
function holdsObject(bytes: Uint8Array): boolean {
  const payload = bytes.subarray(HEADER_SIZE);
  const text = new TextDecoder().decode(
    isCompressed(payload) ? payload.subarray(1, 9) : payload.subarray(0, 8),
  );
  return text.trimStart().startsWith('{');
}

const noObject = ({ note }: TraceEvent): FrameFault => ({
  requirement: 'TOON-13',
  message: note ?? 'expected a payload that is a JSON object; it is not',
});

const readers: { readonly [code: string]: Reader } = {
  'bad-version': badVersion,
  'bad-type': ([, type = 0]) => ({
    requirement: 'TOON-01',
    message: `expected a type from 1 to 8 in the header; came ${type}`,
  }),
  'too-large': tooLarge,
  'too-short': cutOff,
  truncated: cutOff,
  'bad-utf8': (_, event) => noObject(event),
  'bad-json': (_, event) => noObject(event),
  'bad-rle': (bytes, event) =>
    countsZero(bytes)
      ? { requirement: 'TOON-22', message: 'expected no run of count 0 in a compressed payload; one came' }
      : { requirement: 'TOON-19', message: event.note ?? 'expected runs as 0xFF, byte, count; they are not' },
  'bad-payload': (bytes, event) =>
    holdsObject(bytes)
      ? {
          requirement: 'TOON-35',
          message: event.note ?? 'expected all fields that its type requires; a field is missing',
        }
      : noObject(event),
};

/** The violation by an unreadable frame of the target; undefined when its fault is unknown. */
export function faultOf(event: TraceEvent): FrameFault | undefined {
  const bytes = bytesOf(event);
  if (bytes[0] === openingBrace) return noHeader;
  return entryOf(readers, codeOf(event))?.(bytes, event);
}

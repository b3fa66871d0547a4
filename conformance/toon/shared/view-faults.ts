/** Finds the requirement that an unreadable frame of the target violates, from the codec's code and the frame's bytes. */
import { entryOf } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import {
  HEADER_SIZE,
  believedSize,
  isCompressed,
  leadingTextSize,
  quotedText,
} from '../../../src/toon/index.ts';
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

/** Whether a probable header begins at an offset: version 1, a known type, a possible length. */
function isHeaderAt(bytes: Uint8Array, at: number): boolean {
  const [version = 0, type = 0] = bytes.subarray(at, at + 2);
  const known = version === 1 && type >= 1 && type <= 8;
  return known && at + believedSize <= bytes.length && length(bytes, at + 2, true) <= cap;
}

/** The offset of a probable header within the first bytes. */
function headerWithin(bytes: Uint8Array): number | undefined {
  for (let at = 1; at <= 8; at++) if (isHeaderAt(bytes, at)) return at;
  return undefined;
}

/** Versions below this are possible. A larger first byte is not the start of a header. */
const versions = 10;

const notAFrame = (what: string): FrameFault => ({
  requirement: 'TOON-38',
  message: `expected only frames, and nothing between them; ${what}`,
});

/** Bytes where a header should be: a text, or a header that begins too late. */
function strayBytes(bytes: Uint8Array): FrameFault | undefined {
  const text = leadingTextSize(bytes);
  const beforeHeader = text > 0 && isHeaderAt(bytes, text);
  if (beforeHeader || text >= believedSize || (text > 0 && text === bytes.length))
    return notAFrame(`the text ${quotedText(bytes, text)} came${beforeHeader ? ' before a header' : ''}`);
  const [version = 0] = bytes;
  const at = version === 0 || version >= versions ? headerWithin(bytes) : undefined;
  return at === undefined
    ? undefined
    : notAFrame(`${at} bytes came before a header: ${hexOf(bytes.subarray(0, at))}`);
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

function badVersion(bytes: Uint8Array): FrameFault | undefined {
  const [version = 0] = bytes;
  return { requirement: 'TOON-02', message: `expected version 1 in the header; came ${version}` };
}

function tooLarge(bytes: Uint8Array): FrameFault | undefined {
  if (bytes.length < HEADER_SIZE) return undefined;
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
    return notAFrame(
      `${bytes.length} bytes were left that do not begin a frame: ${hexOf(bytes.subarray(0, 16))}`,
    );
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

/**
 * The violation by an unreadable frame of the target; undefined when its fault is unknown.
 *
 * @param before - the number of messages before it on its stream
 */
export function faultOf(event: TraceEvent, before: number): FrameFault | undefined {
  const bytes = bytesOf(event);
  // An object after messages, or before one, is a line of a log: such a target knows the header.
  const isLog = before > 0 || isHeaderAt(bytes, leadingTextSize(bytes));
  if (bytes[0] === openingBrace && !isLog) return noHeader;
  return strayBytes(bytes) ?? entryOf(readers, codeOf(event))?.(bytes, event);
}

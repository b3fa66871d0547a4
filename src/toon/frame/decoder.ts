/** Decodes bytes. Total: for any bytes the result is a message or a violation. */
import { exactJsonOf, hasLongDigits, isObject, jsonOf, refuse } from '../../kit/base/index.ts';
import type { Json, Violation } from '../../kit/base/index.ts';
import { messageNames } from '../messages.ts';
import type { MessageName, MessageType } from '../messages.ts';
import { malformedAt, readText, replacementCharacter } from './bytes.ts';
import { compressionNotes } from './compression-notes.ts';
import {
  HEADER_SIZE,
  MAX_PAYLOAD,
  TOON_VERSION,
  readPayloadLength,
  readSequenceId,
  readTimestamp,
} from './header.ts';
import type { TOONHeader } from './header.ts';
import { checkPayload, checkObjectPayload } from './payload.ts';
import { COMPRESSION_MAGIC, expand } from './rle.ts';
import { believedSize, leadingTextSize, quotedText } from './stray-text.ts';
import { violationAt } from './violation-at.ts';

/** The options of a decoder. */
export interface TOONDecoderOptions {
  /** The largest payload on the wire (bytes); a larger one is refused with `too-large` (TOON-26). Default {@link MAX_PAYLOAD}. */
  readonly maxPayload?: number;
  /** The same limit for an expanded payload. Default {@link MAX_PAYLOAD}. */
  readonly maxExpanded?: number;
  /** Refuse every payload that is not an object, instead of a note (TOON-45). Default false. */
  readonly strict?: boolean;
}

/** Options with all defaults. */
export type ResolvedOptions = Required<TOONDecoderOptions>;

/** The longest string of V8, the lowest maximum of the JavaScript engines. No limit may be higher. */
const maxTextLength = 0x1fff_ffe8;

/** Adds the defaults. Throws a RangeError on a limit that is not an integer, or above 512 MiB. */
export function resolveOptions(options: TOONDecoderOptions): ResolvedOptions {
  const { maxPayload = MAX_PAYLOAD, maxExpanded = MAX_PAYLOAD, strict = false } = options;
  for (const [name, limit] of Object.entries({ maxPayload, maxExpanded }))
    if (!(Number.isInteger(limit) && limit >= 0 && limit <= maxTextLength))
      throw new RangeError(`expected ${name} from 0 to ${maxTextLength} bytes; came ${String(limit)}`);
  return { maxPayload, maxExpanded, strict };
}

/** A decoded message. */
export interface DecodedTOON {
  readonly ok: true;
  readonly header: TOONHeader;
  /** An integer of 64 bits whose digits a double does not give back is a bigint (TOON-56), which the type does not tell. */
  readonly payload: Json;
  /** The number of bytes after the message. They are ignored. */
  readonly trailing: number;
  /** Faults that a sender must not make and a receiver may accept, each as `word: detail`, such as `bom: …`. */
  readonly notes: readonly string[];
  /** Bytes of the expanded payload; only of a compressed one. */
  readonly expandedLength?: number;
}

/** A message, or the fault in its bytes. */
export type TOONDecoded = DecodedTOON | { readonly ok: false; readonly error: Violation };

/**
 * Decodes single messages.
 *
 * Source: TOON Protocol Specification, "Encoding & Decoding".
 *
 * @example
 * import { TOONEncoder } from './encoder.ts';
 *
 * const decoded = new TOONDecoder().decode(TOONEncoder.encodeStatus('working', 0.5, 3));
 * decoded.ok && decoded.payload; // { status: 'working', progress: 0.5 }
 */
export class TOONDecoder {
  readonly #options: ResolvedOptions;

  constructor(options: TOONDecoderOptions = {}) {
    this.#options = resolveOptions(options);
  }

  /** Decodes the message at the start of these bytes; they must hold all of it (TOON-05). Never throws. */
  decode(bytes: Uint8Array): TOONDecoded {
    return decodeFrame(bytes, this.#options);
  }

  /** Whether {@link decode} accepts these bytes: the document's "Validation Rules", and a readable payload. */
  validate(bytes: Uint8Array): boolean {
    return this.decode(bytes).ok;
  }
}

/** As {@link TOONDecoder.decode}, with checked options. */
export function decodeFrame(bytes: Uint8Array, options: ResolvedOptions): TOONDecoded {
  const name = frameName(bytes);
  if (name === undefined) return refuse(headerFault(bytes, options.maxPayload));
  const length = readPayloadLength(bytes, 0);
  const end = HEADER_SIZE + length;
  if (length > options.maxPayload || end > bytes.length)
    return refuse(headerFault(bytes, options.maxPayload));
  return bytes[HEADER_SIZE] === COMPRESSION_MAGIC && length > 0
    ? decodeCompressed(name, bytes, end, options)
    : decodeText(name, bytes, bytes, HEADER_SIZE, end, options.strict);
}

/** The name of the message type; undefined when the bytes hold no header of this version with a known type. */
const frameName = (bytes: Uint8Array): MessageName | undefined =>
  bytes.length >= HEADER_SIZE && bytes[0] === TOON_VERSION ? messageNames[(bytes[1] ?? 0) - 1] : undefined;

/** The fault in a header. A length over the limit has priority, because such a frame cannot be skipped. */
function headerFault(bytes: Uint8Array, maxPayload: number): Violation {
  const came = bytes.length;
  const hint = hintOf(bytes);
  if (came < HEADER_SIZE)
    return violationAt('too-short', 0, `${HEADER_SIZE} bytes of header; came ${came}${hint}`);
  const length = readPayloadLength(bytes, 0);
  if (length > maxPayload)
    return violationAt('too-large', 2, `a payload of ${maxPayload} bytes at most; came ${length}${hint}`);
  if (bytes[0] !== TOON_VERSION)
    return violationAt('bad-version', 0, `version ${TOON_VERSION}; came ${bytes[0]}${hint}`);
  if (messageNames[(bytes[1] ?? 0) - 1] === undefined)
    return violationAt('bad-type', 1, `a message type from 1 to 8; came ${bytes[1]}`);
  return violationAt('truncated', came, `${length} bytes of payload; came ${came - HEADER_SIZE}`);
}

const bareJson = '; it begins with 0x7B, {: this looks like bare JSON without the 18-byte header';

/** What came instead of a header, if it looks like something else: JSON (TOON-43), or what a program prints (TOON-38). */
function hintOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x7b) return bareJson;
  const size = leadingTextSize(bytes);
  if (size < Math.min(believedSize, bytes.length) || size === 0) return '';
  return `; this is text, not a message: ${quotedText(bytes, size)}`;
}

/** Decodes a message with the payload from `from` to `to` in `source`: the received bytes, or the expanded ones. */
function decodeText(
  name: MessageName,
  bytes: Uint8Array,
  source: Uint8Array,
  from: number,
  to: number,
  strict: boolean,
): TOONDecoded {
  const text = readText(source, from, to);
  if (text.includes(replacementCharacter)) {
    const at = malformedAt(text, source, from);
    if (at !== undefined) {
      const expected = `UTF-8 in the payload; byte ${at - from} of it, once expanded, is none`;
      return refuse(violationAt('bad-utf8', HEADER_SIZE, expected));
    }
  }
  let notes = noNotes;
  let payload: Json;
  try {
    payload = hasLongDigits(source, from, to) ? exactJsonOf(text) : jsonOf(text);
  } catch (error) {
    const afterBom = parseAfterBom(text);
    if (afterBom === undefined) return refuse(badJson(error));
    payload = afterBom;
    notes = bomNotes;
  }
  const fault = strict ? checkObjectPayload(name, payload) : checkPayload(name, payload);
  if (fault !== undefined) return refuse(fault);
  const header = readHeader(bytes);
  const trailing = bytes.length - HEADER_SIZE - header.payloadLength;
  if (!isObject(payload)) notes = [...notes, 'not-object: the payload is no JSON object'];
  return { ok: true, header, payload, trailing, notes };
}

const noNotes: readonly string[] = Object.freeze([]);
const bomNotes: readonly string[] = Object.freeze(['bom: the payload begins with a byte order mark']);

/** Parses JSON after a byte order mark; undefined when there is no such mark, or no JSON. */
function parseAfterBom(text: string): Json | undefined {
  if (!text.startsWith('\uFEFF')) return undefined;
  try {
    return exactJsonOf(text.slice(1));
  } catch {
    return undefined;
  }
}

function badJson(error: unknown): Violation {
  const reason = error instanceof Error ? error.message : String(error);
  return violationAt('bad-json', HEADER_SIZE, `JSON in the payload; ${reason}`);
}

const readHeader = (bytes: Uint8Array): TOONHeader => ({
  version: TOON_VERSION,
  type: bytes[1] as MessageType,
  payloadLength: readPayloadLength(bytes, 0),
  timestamp: readTimestamp(bytes),
  sequenceId: readSequenceId(bytes),
});

function decodeCompressed(
  name: MessageName,
  bytes: Uint8Array,
  end: number,
  options: ResolvedOptions,
): TOONDecoded {
  const expanded = expand(bytes, HEADER_SIZE + 1, end, options.maxExpanded);
  if (!expanded.ok) return expanded;
  const size = expanded.value.length;
  const decoded = decodeText(name, bytes, expanded.value, 0, size, options.strict);
  if (!decoded.ok) return decoded;
  const notes = [...compressionNotes(bytes, HEADER_SIZE, end, size), ...decoded.notes];
  return { ...decoded, notes, expandedLength: size };
}

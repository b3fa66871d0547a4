/** Bytes to messages. Total: whatever the bytes, the answer is a message or the reason why it is none. */
import { isObject, refuse } from '../../kit/base/index.ts';
import type { Json, Violation } from '../../kit/base/index.ts';
import { REPLACEMENT, malformedAt, readText } from './bytes.ts';
import {
  HEADER_SIZE,
  MAX_PAYLOAD,
  TOON_VERSION,
  readPayloadLength,
  readSequenceId,
  readTimestamp,
} from './header.ts';
import type { TOONHeader } from './header.ts';
import { messageNames } from '../messages.ts';
import type { MessageName, MessageType } from '../messages.ts';
import { compressionNotes } from './compression-notes.ts';
import { checkPayload, checkObjectPayload } from './payload.ts';
import { COMPRESSION_MAGIC, expand } from './rle.ts';

/** What a decoder takes. */
export interface TOONDecoderOptions {
  /** Bytes of a payload on the wire, above which it refuses with `too-large` (TOON-26); default {@link MAX_PAYLOAD}. */
  readonly maxPayload?: number;
  /** The same of a compressed payload once expanded; default {@link MAX_PAYLOAD}. */
  readonly maxExpanded?: number;
  /** Refuse every payload that is no object, where other decoders leave a note (TOON-45); default false. */
  readonly strict?: boolean;
}

/** Options without gaps. */
export type ResolvedOptions = Required<TOONDecoderOptions>;

/** What a string can hold in V8, which has the least of the engines: no limit may be above it. */
const LONGEST_TEXT = 0x1fff_ffe8;

/** Fills in the defaults. Throws a RangeError on a limit that is no whole number, or above 512 MiB. */
export function resolveOptions(options: TOONDecoderOptions): ResolvedOptions {
  const { maxPayload = MAX_PAYLOAD, maxExpanded = MAX_PAYLOAD, strict = false } = options;
  for (const [name, limit] of Object.entries({ maxPayload, maxExpanded }))
    if (!(Number.isInteger(limit) && limit >= 0 && limit <= LONGEST_TEXT))
      throw new RangeError(`expected ${name} from 0 to ${LONGEST_TEXT} bytes; came ${String(limit)}`);
  return { maxPayload, maxExpanded, strict };
}

/** A message that was decoded. */
export interface DecodedTOON {
  readonly ok: true;
  readonly header: TOONHeader;
  readonly payload: Json;
  /** Bytes behind the message, which were not looked at. */
  readonly trailing: number;
  /** What a sender must not send and a reader may take, `word: detail` each; such as `bom: …`. */
  readonly notes: readonly string[];
  /** Bytes of the payload once expanded: only where it was compressed. */
  readonly expandedLength?: number;
}

/** A message, or what is wrong with its bytes. */
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

  /** The message that these bytes begin with, whole (TOON-05). Never throws. */
  decode(bytes: Uint8Array): TOONDecoded {
    return decodeFrame(bytes, this.#options);
  }

  /** Whether {@link decode} takes these bytes: the document's "Validation Rules", and a payload that can be read. */
  validate(bytes: Uint8Array): boolean {
    return this.decode(bytes).ok;
  }
}

/** As {@link TOONDecoder.decode}, with options that were checked. */
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

/** The type's name, of bytes that hold a header of this version. */
const frameName = (bytes: Uint8Array): MessageName | undefined =>
  bytes.length >= HEADER_SIZE && bytes[0] === TOON_VERSION ? messageNames[(bytes[1] ?? 0) - 1] : undefined;

/** Why bytes begin with no frame. Of several reasons a length that nobody may skip comes first. */
function headerFault(bytes: Uint8Array, maxPayload: number): Violation {
  const came = bytes.length;
  if (came < HEADER_SIZE) return bad('too-short', 0, `${HEADER_SIZE} bytes of header; came ${came}`, bytes);
  const length = readPayloadLength(bytes, 0);
  if (length > maxPayload)
    return bad('too-large', 2, `a payload of ${maxPayload} bytes at most; came ${length}`, bytes);
  if (bytes[0] !== TOON_VERSION)
    return bad('bad-version', 0, `version ${TOON_VERSION}; came ${bytes[0]}`, bytes);
  if (messageNames[(bytes[1] ?? 0) - 1] === undefined)
    return bad('bad-type', 1, `a message type from 1 to 8; came ${bytes[1]}`);
  return bad('truncated', came, `${length} bytes of payload; came ${came - HEADER_SIZE}`);
}

/** A violation; of a frame that begins with `{` it names the likely mistake (TOON-43). */
function bad(code: string, at: number, expected: string, bytes?: Uint8Array): Violation {
  const hint = '; it begins with 0x7B, {: this looks like bare JSON without the 18-byte header';
  return { code, path: `@${at}`, message: `expected ${expected}${bytes?.[0] === 0x7b ? hint : ''}` };
}

/** The message whose payload is the UTF-8 at `from` to `to` of `source`: of the bytes, or of what they expand to. */
function decodeText(
  name: MessageName,
  bytes: Uint8Array,
  source: Uint8Array,
  from: number,
  to: number,
  strict: boolean,
): TOONDecoded {
  const text = readText(source, from, to);
  if (text.includes(REPLACEMENT)) {
    const at = malformedAt(text, source, from);
    if (at !== undefined) return refuse(badText(at - from));
  }
  let notes = none;
  let payload: Json;
  try {
    payload = JSON.parse(text) as Json;
  } catch (error) {
    const unmarked = parseMarked(text);
    if (unmarked === undefined) return refuse(badJson(error));
    payload = unmarked;
    notes = marked;
  }
  const fault = strict ? checkObjectPayload(name, payload) : checkPayload(name, payload);
  if (fault !== undefined) return refuse(fault);
  const header = readHeader(bytes);
  const trailing = bytes.length - HEADER_SIZE - header.payloadLength;
  if (!isObject(payload)) notes = [...notes, 'not-object: the payload is no JSON object'];
  return { ok: true, header, payload, trailing, notes };
}

const none: readonly string[] = Object.freeze([]);
const marked: readonly string[] = Object.freeze(['bom: the payload begins with a byte order mark']);

/** JSON behind a byte order mark, which no JSON begins with: what cannot be parsed may have one. */
function parseMarked(text: string): Json | undefined {
  if (!text.startsWith('\uFEFF')) return undefined;
  try {
    return JSON.parse(text.slice(1)) as Json;
  } catch {
    return undefined;
  }
}

const badText = (at: number): Violation =>
  bad('bad-utf8', HEADER_SIZE, `UTF-8 in the payload; byte ${at} of it, once expanded, is none`);

const badJson = (error: unknown): Violation =>
  bad(
    'bad-json',
    HEADER_SIZE,
    `JSON in the payload; ${error instanceof Error ? error.message : String(error)}`,
  );

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

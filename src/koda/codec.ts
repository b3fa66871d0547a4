/**
 * The codec of Koda: text to message and back. It reads the texts that serde reads with the types of event.rs, and refuses
 * the others. By default it is stricter: it also refuses the spellings that serde reads and never writes (KODA-69).
 */
import { WireproofError, ok, refuse } from '../kit/base/index.ts';
import type { Codec, Decoded, Result } from '../kit/base/index.ts';
import { readCanonical } from './codec/canonical-text.ts';
import { inexactText } from './codec/exact-json.ts';
import { MessageReader } from './codec/read-message.ts';
import { scan } from './codec/scan.ts';
import { tables } from './codec/tables.ts';
import type { Tokens } from './codec/tokens.ts';
import { violation } from './codec/violation.ts';
import type { KodaViolation } from './codec/violation.ts';
import { MessageWriter } from './codec/write-message.ts';
import type { EngineCommand, EngineEvent, MessageKind, Messages } from './messages.ts';

export type { Fault, KodaViolation, RefusalCode } from './codec/violation.ts';

/** Most bytes of a message in UTF-8, by default. Source: spec/koda/README.md, Carriers. */
export const mostBytes: number = 1 << 20;

/** How to decode. */
export interface DecodeOptions {
  /**
   * Read also an array of fields in the place of an object, a number in the place of a nested tag, and `{"stop":null}` for
   * `"stop"`, as serde does. Default: false.
   */
  readonly serde?: boolean;
  /** Most bytes of a message in UTF-8. Default: 1 MiB. */
  readonly maxBytes?: number;
}

/** How to encode. */
export interface EncodeOptions {
  /** The text of `args`, as {@link DecodedText.argsText} has it. It counts in the place of the value, whose numbers are doubles. */
  readonly argsText?: string;
  /** Most bytes of a message in UTF-8. Default: 1 MiB. */
  readonly maxBytes?: number;
}

/** A decoded message, with the parts of its text that it does not show. */
export interface DecodedText<M> {
  readonly message: M;
  /** The canonical text of `args`, when it holds a number that a double cannot hold, or -0. */
  readonly argsText?: string;
  /** The absent fields that mean null or []: preview, action, images. */
  readonly omitted?: readonly string[];
}

/**
 * Decodes the text of a message. Total: it throws for no text.
 *
 * @example
 * const read = decodeText('command', '{"text":"x","type":"user_prompt"}');
 * read.ok && read.value.message; // { type: 'user_prompt', text: 'x', images: [] }
 * read.ok && read.value.omitted; // ['images']
 * const refused = decodeText('event', '{"type":"text_delta"}');
 * refused.ok || refused.error.code; // 'missing-field'
 */
export function decodeText<K extends MessageKind>(
  kind: K,
  text: string,
  { serde = false, maxBytes = mostBytes }: DecodeOptions = {},
): Result<DecodedText<Messages[K]>, KodaViolation> {
  if (isLonger(text, maxBytes)) return refuse(tooLarge(maxBytes));
  const canonical = readCanonical(tables[kind], text) as Messages[K] | undefined;
  if (canonical !== undefined) return ok({ message: canonical });
  const scanned = scan(text);
  if (!scanned.ok) return scanned;
  const reader = new MessageReader(scanned.value, serde);
  const message = reader.read(tables[kind]) as Messages[K];
  if (reader.fault !== undefined) return refuse(reader.fault);
  return ok({ message, ...hiddenParts(scanned.value, reader) });
}

/** The parts of a text that its message does not show. */
function hiddenParts(tokens: Tokens, { args, omitted }: MessageReader): Omit<DecodedText<never>, 'message'> {
  const argsText = args === undefined ? undefined : inexactText(tokens, args);
  return {
    ...(argsText === undefined ? {} : { argsText }),
    ...(omitted.length > 0 ? { omitted } : {}),
  };
}

/** Whether a text has more bytes in UTF-8. Counts them only when its length does not tell. */
const isLonger = (text: string, maxBytes: number): boolean =>
  text.length > maxBytes || (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes);

const tooLarge = (maxBytes: number): KodaViolation =>
  violation('too-large', '', `expected at most ${maxBytes} bytes; came more`);

/** Decodes the bytes of a message: UTF-8 without a byte order mark (KODA-16). Total. */
export function decodeBytes<K extends MessageKind>(
  kind: K,
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Result<DecodedText<Messages[K]>, KodaViolation> {
  const { maxBytes = mostBytes } = options;
  if (bytes.length > maxBytes) return refuse(tooLarge(maxBytes));
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuse(violation('bad-utf8', '', 'expected UTF-8; came bytes that are not (bad-utf8)'));
  }
  return decodeText(kind, text, options);
}

/** It keeps a byte order mark, which the scan refuses. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The canonical text of a message: the tag, then every field in the order of the tables, without blanks.
 *
 * The numbers of `args` are doubles. To send a decoded message again with all its digits, hand over what was decoded with it.
 *
 * @throws WireproofError of code usage on a value that no message can carry: NaN, an infinite number, a lone surrogate, an
 * integer out of its range, a wrong type, an inherited field, in `args` an object that is no plain one; and on a message
 * that is longer than `maxBytes`
 *
 * @example
 * encodeText('event', { type: 'context_usage', used: 7, max: '18446744073709551615' }); // '{"type":"context_usage","used":7,"max":18446744073709551615}'
 * const text = '{"type":"tool_call_start","id":"c","name":"Buy","args":{"order":9007199254740993},"is_sub_agent":false}';
 * const read = decodeText('event', text);
 * if (read.ok) {
 *   const { message, ...exact } = read.value;
 *   encodeText('event', message, exact) === text; // true
 * }
 */
export function encodeText<K extends MessageKind>(
  kind: K,
  message: Messages[K],
  { argsText, maxBytes = mostBytes }: EncodeOptions = {},
): string {
  const text = new MessageWriter(argsText).write(tables[kind], message);
  if (isLonger(text, maxBytes)) throw new WireproofError('usage', tooLarge(maxBytes).message);
  return text;
}

/** The codec of events. A note tells of absent fields and of numbers that the message does not show. */
export const eventCodec: Codec<EngineEvent> = codecOf('event');

/** The codec of commands. A note tells of absent fields. */
export const commandCodec: Codec<EngineCommand> = codecOf('command');

function codecOf<K extends MessageKind>(kind: K): Codec<Messages[K]> {
  const utf8 = new TextEncoder();
  return {
    name: `koda ${kind}s`,
    encode: (message) => utf8.encode(encodeText(kind, message)),
    decode(bytes) {
      const decoded = decodeBytes(kind, bytes);
      return decoded.ok ? ok(withNote(decoded.value)) : decoded;
    },
  };
}

function withNote<M>({ message, argsText, omitted }: DecodedText<M>): Decoded<M> {
  const notes = [
    ...(omitted ?? []).map((name) => `${name} is absent`),
    ...(argsText === undefined ? [] : ['args holds a number that a double cannot hold: see the bytes']),
  ];
  return notes.length === 0 ? { message } : { message, note: notes.join('; ') };
}
